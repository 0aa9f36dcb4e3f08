#pragma once

// The golden checkpoint and the outputs it must give (shared/golden/model).

#include <vector>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_lines.h"
#include "harness/model/checkpoint.h"
#include "tests/support/paths.h"

namespace fbt::testing {

inline std::filesystem::path golden_folder() {
  return shared_dir() / "golden/model";
}

inline const nlohmann::json& golden_outputs() {
  static const nlohmann::json outputs =
      parse_json(read_file(golden_folder() / "expected.json"), "expected.json");
  return outputs;
}

// A (nested) list of numbers as a float64 tensor.
inline at::Tensor to_tensor(const nlohmann::json& list) {
  std::vector<std::int64_t> shape;
  for (const nlohmann::json* level = &list; level->is_array(); level = &level->front()) {
    shape.push_back(static_cast<std::int64_t>(level->size()));
  }
  std::vector<double> numbers;
  const auto walk = [&](const auto& self, const nlohmann::json& node) -> void {
    if (!node.is_array()) return numbers.push_back(node.get<double>());
    for (const nlohmann::json& child : node) self(self, child);
  };
  walk(walk, list);
  return at::tensor(numbers, at::kDouble).reshape(shape);
}

// Largest absolute difference.
inline double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

}  // namespace fbt::testing
