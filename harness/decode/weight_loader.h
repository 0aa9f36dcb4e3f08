#pragma once

// Hands out a model's weights one by one, by the names of tensor_list().

#include <algorithm>
#include <string>
#include <vector>

#include "harness/model/tensor_list.h"
#include "harness/model/weights.h"

namespace fbt {

class WeightLoader {
 public:
  // `source` must outlive the object.
  WeightLoader(const ModelConfig& config, const WeightSource& source, at::ScalarType dtype)
      : specs_(tensor_list(config)), source_(source), dtype_(dtype) {}

  // `name` is one of tensor_list()'s.
  at::Tensor take(const std::string& name) const {
    const auto spec = std::find_if(specs_.begin(), specs_.end(),
                                   [&](const TensorSpec& one) { return one.name == name; });
    return source_.load(*spec, dtype_);
  }

 private:
  std::vector<TensorSpec> specs_;
  const WeightSource& source_;
  at::ScalarType dtype_;
};

}  // namespace fbt
