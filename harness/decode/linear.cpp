#include "harness/decode/linear.h"

#include <algorithm>
#include <array>

#include <ATen/ATen.h>

#include "harness/decode/split_product.h"
#include "harness/model/cpu_bfloat16.h"

#ifdef FBT_HAVE_ONEDNN
#include "harness/decode/onednn_product.h"
#endif

namespace fbt {
namespace {

// Rows that batch-invariant products are tried with, the likeliest first. Libraries
// compute the rows that do not fill a tile by other code, whose sums may run in
// another order; how many rows a tile has depends on library, CPU and shape. One row
// always will do.
constexpr std::array<std::int64_t, 4> kInvariantRows = {32, 48, 96, 1};

}  // namespace

#ifdef FBT_HAVE_ONEDNN
struct Linear::Packed {
  PackedWeight weight;
};
#else
struct Linear::Packed {};
#endif

Linear::Linear(const at::Tensor& weight, bool batch_invariant, [[maybe_unused]] bool in_place)
    : inputs_(weight.size(1)), outputs_(weight.size(0)) {
#ifdef FBT_HAVE_ONEDNN
  if (PackedWeight::supports(weight.scalar_type())) {
    packed_ = std::make_shared<const Packed>(Packed{PackedWeight(weight, in_place)});
  }
#endif
  if (!packed_) weight_ = weight;
  widened_ = weight.scalar_type() == at::kBFloat16 && !cpu_multiplies_bfloat16();
  if (!batch_invariant) return;
  invariant_rows_ = *std::find_if(kInvariantRows.begin(), kInvariantRows.end(),
                                  [&](std::int64_t rows) { return rows_agree(rows, weight); });
}

// Whether a row's product is the same, to the bit, wherever it stands among `rows`.
bool Linear::rows_agree(std::int64_t rows, const at::Tensor& like) const {
  const at::Tensor row = at::arange(1, inputs_ + 1, at::kDouble).square().sin();
  const at::Tensor x = row.expand({rows, inputs_}).to(like.scalar_type()).contiguous();
  Scratch scratch;
  const auto agree = [&](at::ScalarType result) {
    const at::Tensor out = at::empty({rows, outputs_}, result);
    product(x, out, scratch);
    return at::equal(out, out.narrow(0, 0, 1).expand_as(out));
  };
  return agree(like.scalar_type()) && (like.scalar_type() != at::kBFloat16 || agree(at::kFloat));
}

void Linear::product(const at::Tensor& x, const at::Tensor& out,
                     [[maybe_unused]] Scratch& scratch) const {
#ifdef FBT_HAVE_ONEDNN
  if (packed_) return packed_->weight.multiply(x, out);
#endif
  split_product(x, weight_, out, widened_, scratch);
}

void Linear::apply(const at::Tensor& x, const at::Tensor& out, Scratch& scratch) const {
  if (invariant_rows_ == 0) return product(x, out, scratch);
  const std::int64_t rows = x.size(0);
  for (std::int64_t row = 0; row < rows; row += invariant_rows_) {
    const std::int64_t count = std::min(invariant_rows_, rows - row);
    if (count == invariant_rows_) {
      product(x.narrow(0, row, count), out.narrow(0, row, count), scratch);
      continue;
    }
    Scratch::Frame frame(scratch);
    const at::Tensor padded_x = frame.take({invariant_rows_, inputs_}, x.scalar_type());
    const at::Tensor padded_out = frame.take({invariant_rows_, outputs_}, out.scalar_type());
    padded_x.narrow(0, 0, count).copy_(x.narrow(0, row, count));
    padded_x.narrow(0, count, invariant_rows_ - count).zero_();
    product(padded_x, padded_out, scratch);
    out.narrow(0, row, count).copy_(padded_out.narrow(0, 0, count));
  }
}

}  // namespace fbt
