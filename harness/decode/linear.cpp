#include "harness/decode/linear.h"

#include <ATen/ATen.h>

#include "harness/decode/split_product.h"

#ifdef FBT_HAVE_ONEDNN
#include "harness/decode/onednn_product.h"
#endif

namespace fbt {
namespace {

// Rows of the one shape that batch-invariant products are made of.
constexpr std::int64_t kInvariantRows = 32;

}  // namespace

#ifdef FBT_HAVE_ONEDNN
struct Linear::Packed {
  PackedWeight weight;
};
#else
struct Linear::Packed {};
#endif

Linear::Linear(const at::Tensor& weight, bool batch_invariant, [[maybe_unused]] bool in_place)
    : inputs_(weight.size(1)), outputs_(weight.size(0)), batch_invariant_(batch_invariant) {
#ifdef FBT_HAVE_ONEDNN
  if (PackedWeight::supports(weight.scalar_type())) {
    packed_ = std::make_shared<const Packed>(Packed{PackedWeight(weight, in_place)});
    return;
  }
#endif
  weight_ = weight;
  widened_ = weight.scalar_type() == at::kBFloat16 && !multiplies_bfloat16();
}

void Linear::product(const at::Tensor& x, const at::Tensor& out) const {
#ifdef FBT_HAVE_ONEDNN
  if (packed_) return packed_->weight.multiply(x, out);
#endif
  split_product(x, weight_, out, widened_);
}

void Linear::apply(const at::Tensor& x, const at::Tensor& out) const {
  if (!batch_invariant_) return product(x, out);
  const std::int64_t rows = x.size(0);
  for (std::int64_t row = 0; row < rows; row += kInvariantRows) {
    const std::int64_t count = std::min(kInvariantRows, rows - row);
    if (count == kInvariantRows) {
      product(x.narrow(0, row, count), out.narrow(0, row, count));
      continue;
    }
    at::Tensor padded_x = at::zeros({kInvariantRows, inputs_}, x.options());
    at::Tensor padded_out = at::empty({kInvariantRows, outputs_}, out.options());
    padded_x.narrow(0, 0, count).copy_(x.narrow(0, row, count));
    product(padded_x, padded_out);
    out.narrow(0, row, count).copy_(padded_out.narrow(0, 0, count));
  }
}

}  // namespace fbt
