#include "harness/decode/onednn_product.h"

#include <map>
#include <tuple>

#include <ATen/ATen.h>
#include <dnnl.hpp>

#include "harness/decode/large_pages.h"

namespace fbt {
namespace {

using dnnl::memory;

// Rows for which the packed layout is chosen: that of a prefill batch, where
// most of the work is.
constexpr std::int64_t kTypicalRows = 1024;
// Compiled products kept; each distinct row count needs its own.
constexpr std::size_t kMaxPrimitives = 4096;

memory::data_type data_type(at::ScalarType dtype) {
  return dtype == at::kBFloat16 ? memory::data_type::bf16 : memory::data_type::f32;
}

dnnl::engine& cpu() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& cpu_stream() {
  static dnnl::stream stream(cpu());
  return stream;
}

dnnl::matmul::primitive_desc product_desc(std::int64_t rows, const memory::desc& weight,
                                          memory::data_type source, memory::data_type result) {
  const std::int64_t inputs = weight.dims()[0];
  const std::int64_t outputs = weight.dims()[1];
  const memory::desc x({rows, inputs}, source, memory::format_tag::ab);
  const memory::desc out({rows, outputs}, result, memory::format_tag::ab);
  return {dnnl::matmul::desc(x, weight, out), cpu()};
}

bool has_products_of(memory::data_type type) {
  const memory::desc any({32, 32}, type, memory::format_tag::any);
  try {
    product_desc(32, any, type, type);
    return true;
  } catch (const dnnl::error&) {
    return false;
  }
}

}  // namespace

bool PackedWeight::supports(at::ScalarType dtype) {
  static const bool has_bfloat16 = has_products_of(memory::data_type::bf16);
  return dtype == at::kFloat || (dtype == at::kBFloat16 && has_bfloat16);
}

struct PackedWeight::State {
  memory weight;
  memory::data_type type;
  at::Tensor owner;  // of the bytes of a weight that is read in place
};

PackedWeight::PackedWeight(const at::Tensor& weight, bool in_place) {
  const memory::dims shape = {weight.size(1), weight.size(0)};  // as the right operand: [K,N]
  const memory::data_type type = data_type(weight.scalar_type());
  const memory::desc plain(shape, type, memory::format_tag::ba);
  memory from(plain, cpu(), weight.data_ptr());
  if (in_place) {
    state_ = std::make_shared<const State>(State{from, type, weight});
    return;
  }
  const memory::desc any(shape, type, memory::format_tag::any);
  const memory::desc packed = product_desc(kTypicalRows, any, type, type).weights_desc();
  memory to(packed, cpu());
  prefer_large_pages(to.get_data_handle(), packed.get_size());
  dnnl::reorder(from, to).execute(cpu_stream(), from, to);
  cpu_stream().wait();
  state_ = std::make_shared<const State>(State{to, type, {}});
}

void PackedWeight::multiply(const at::Tensor& x, const at::Tensor& out) const {
  // Shape, types and whether the layout is oneDNN's own name a product.
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, memory::data_type,
                         memory::data_type, bool>;
  static std::map<Key, dnnl::matmul> primitives;
  const memory::data_type result = data_type(out.scalar_type());
  const Key key{x.size(0), x.size(1), out.size(1), state_->type, result, state_->owner.defined()};
  auto found = primitives.find(key);
  if (found == primitives.end()) {
    if (primitives.size() >= kMaxPrimitives) primitives.clear();
    const dnnl::matmul product(
        product_desc(x.size(0), state_->weight.get_desc(), state_->type, result));
    found = primitives.emplace(key, product).first;
  }
  const memory::desc x_desc({x.size(0), x.size(1)}, state_->type, memory::format_tag::ab);
  const memory::desc out_desc({out.size(0), out.size(1)}, result, memory::format_tag::ab);
  found->second.execute(cpu_stream(), {{DNNL_ARG_SRC, memory(x_desc, cpu(), x.data_ptr())},
                                       {DNNL_ARG_WEIGHTS, state_->weight},
                                       {DNNL_ARG_DST, memory(out_desc, cpu(), out.data_ptr())}});
  cpu_stream().wait();
}

}  // namespace fbt
