#include "harness/decode/split_product.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "harness/decode/parallel.h"

namespace fbt {
namespace {

// Multiplications that are worth a thread's start.
constexpr std::int64_t kWorthAThread = std::int64_t{1} << 19;
// Outputs and elements of a widened panel, at most: the products of narrower ones are
// slower, wider ones only take more memory.
constexpr std::int64_t kPanelOutputs = 512;
constexpr std::int64_t kPanelElements = std::int64_t{1} << 21;

constexpr std::int64_t divided_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

void split_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& out, bool widen,
                   Scratch& scratch) {
  const std::int64_t outputs = weight.size(0);
  const std::int64_t inputs = weight.size(1);
  const std::int64_t parts =
      std::clamp<std::int64_t>(x.numel() * outputs / kWorthAThread, 1, at::get_num_threads());
  std::int64_t width = divided_up(outputs, parts);
  if (widen) {
    width = std::clamp<std::int64_t>(kPanelElements / inputs, 1, std::min(width, kPanelOutputs));
  }
  Scratch::Frame frame(scratch);
  at::Tensor factor = x;
  if (widen) factor = frame.take(x.sizes(), at::kFloat).copy_(x);
  const bool direct = out.scalar_type() == factor.scalar_type();
  const std::int64_t threads = at::get_num_threads();
  at::Tensor wide;     // [threads, width, K]
  at::Tensor results;  // [threads, M width]
  if (widen) wide = frame.take({threads, width, inputs}, at::kFloat);
  if (!direct) results = frame.take({threads, x.size(0) * width}, factor.scalar_type());
  parallel_items(divided_up(outputs, width), [&](std::int64_t item, std::int64_t thread) {
    const std::int64_t first = item * width;
    const std::int64_t count = std::min(width, outputs - first);
    at::Tensor panel = weight.narrow(0, first, count);
    if (widen) panel = wide[thread].narrow(0, 0, count).copy_(panel);
    const at::Tensor part = out.narrow(1, first, count);
    at::Tensor result =
        direct ? part : results[thread].narrow(0, 0, x.size(0) * count).view({x.size(0), count});
    at::mm_out(result, factor, panel.t());
    if (!direct) part.copy_(result);
  });
}

}  // namespace fbt
