#include "harness/decode/split_product.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace fbt {
namespace {

struct Case {
  std::int64_t rows, inputs, outputs;
  at::ScalarType dtype, result;
  bool widen;
  double tolerance;  // of a result, for sums of about 1
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [rows, inputs, outputs] :
       {std::tuple{1, 5, 3}, {7, 33, 1}, {64, 192, 769}, {130, 1024, 600}}) {
    all.push_back({rows, inputs, outputs, at::kDouble, at::kDouble, false, 1e-12});
    all.push_back({rows, inputs, outputs, at::kFloat, at::kFloat, false, 1e-5});
    all.push_back({rows, inputs, outputs, at::kBFloat16, at::kFloat, true, 1e-5});
    // One rounding of a sum below 8.
    all.push_back({rows, inputs, outputs, at::kBFloat16, at::kBFloat16, true, 1.0 / 64});
  }
  return all;
}

TEST(SplitProduct, IsTheProductWhateverTheThreads) {
  const int threads_before = at::get_num_threads();
  Scratch scratch;
  for (const Case& c : cases()) {
    const at::Tensor x = at::randn({c.rows, c.inputs}).to(c.dtype);
    const at::Tensor weight =
        (at::randn({c.outputs, c.inputs}) / std::sqrt(static_cast<double>(c.inputs))).to(c.dtype);
    const at::Tensor expected = at::matmul(x.to(at::kDouble), weight.to(at::kDouble).t());
    for (const int threads : {1, 2, 3}) {
      at::set_num_threads(threads);
      const at::Tensor out = at::full({c.rows, c.outputs}, 77, c.result);
      split_product(x, weight, out, c.widen, scratch);
      const double error = (out.to(at::kDouble) - expected).abs().max().item<double>();
      EXPECT_LE(error, c.tolerance) << c.rows << "x" << c.inputs << "x" << c.outputs << " "
                                    << c10::toString(c.dtype) << " on " << threads << " threads";
    }
  }
  at::set_num_threads(threads_before);
}

}  // namespace
}  // namespace fbt
