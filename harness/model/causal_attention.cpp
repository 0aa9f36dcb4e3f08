#include "harness/model/causal_attention.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

#include "harness/model/float_rows.h"
#include "harness/model/row_kernels.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kQueryBlock = 128;
constexpr std::int64_t kRowsPerTask = 32;

// The queries [start,end) of a sequence and the keys [first,end) they can see.
struct Block {
  std::int64_t start, end, first;

  std::int64_t queries() const { return end - start; }
  std::int64_t keys() const { return end - first; }
};

std::vector<Block> blocks_of(std::int64_t length, std::int64_t window) {
  std::vector<Block> blocks;
  for (std::int64_t start = 0; start < length; start += kQueryBlock) {
    blocks.push_back({start, std::min(start + kQueryBlock, length),
                      std::max<std::int64_t>(0, start - window + 1)});
  }
  return blocks;
}

// Heads that share keys stand one after the other, so that a block of theirs is
// one matrix. x [B,H,T,d] contiguous -> [B K, (H/K) n, d], a copy.
at::Tensor queries_of(const at::Tensor& x, std::int64_t groups, const Block& block) {
  return x.slice(2, block.start, block.end).reshape({groups, -1, x.size(3)});
}

// x [B,K,T,d] contiguous -> [B K, keys, d], contiguous: a batched product would copy
// its transpose otherwise, and slowly.
at::Tensor keys_of(const at::Tensor& x, const Block& block) {
  return x.view({-1, x.size(2), x.size(3)}).slice(1, block.first, block.end).contiguous();
}

// Adds part [B K, keys, d] to its keys in sums, float32 [B,K,T,d].
void add_to_keys(const at::Tensor& sums, const Block& block, const at::Tensor& part) {
  const std::int64_t length = sums.size(2), size = sums.size(3), keys = block.keys();
  float* first = sums.data_ptr<float>() + block.first * size;
  at::parallel_for(0, part.size(0) * keys, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    FloatRows parts(part);
    for (std::int64_t row = begin; row < end; ++row) {
      float* sum = first + (row / keys * length + row % keys) * size;
      sum_with_scaled(sum, parts.read(row), 1, sum, size);
    }
  });
}

// Softmax of every row over the keys it sees, in place; 0 for the others.
// scores [B K, (H/K) n, keys].
void softmax_visible(const at::Tensor& scores, const Block& block, std::int64_t window) {
  const std::int64_t keys = block.keys();
  at::parallel_for(
      0, scores.size(0) * scores.size(1), kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
        FloatRows rows(scores);
        for (std::int64_t row = begin; row < end; ++row) {
          float* values = rows.read(row);
          const std::int64_t position = block.start + row % block.queries();
          const std::int64_t from = std::max<std::int64_t>(0, position - window + 1 - block.first);
          const std::int64_t to = position + 1 - block.first;
          float* visible = values + from;
          const float sum = exponentials(visible, largest(visible, to - from), visible, to - from);
          const float share = 1.0F / sum;
          std::fill(values, visible, 0.0F);
          for (std::int64_t i = 0; i < to - from; ++i) visible[i] *= share;
          std::fill(values + to, values + keys, 0.0F);
          rows.write(row);
        }
      });
}

// The slopes of scores from those of their softmax, in place:
// dS = P (dP - sum of P dP).
void softmax_slopes(const at::Tensor& weights, const at::Tensor& slopes) {
  const std::int64_t keys = slopes.size(2);
  at::parallel_for(0, slopes.size(0) * slopes.size(1), kRowsPerTask,
                   [&](std::int64_t begin, std::int64_t end) {
                     FloatRows in(weights), out(slopes);
                     for (std::int64_t row = begin; row < end; ++row) {
                       const float* weight = in.read(row);
                       float* slope = out.read(row);
                       const float inner = sum_of_products(weight, slope, keys);
                       product_of_shifted(weight, slope, inner, slope, keys);
                       out.write(row);
                     }
                   });
}

class CausalAttention : public torch::autograd::Function<CausalAttention> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& query,
                            const at::Tensor& key, const at::Tensor& value, std::int64_t window) {
    const at::Tensor q = query.contiguous(), k = key.contiguous(), v = value.contiguous();
    const std::int64_t groups = k.size(0) * k.size(1);
    const at::Tensor output = at::empty_like(q);
    variable_list saved = {k, v};
    for (const Block& block : blocks_of(q.size(2), window)) {
      const at::Tensor queries = queries_of(q, groups, block);
      const at::Tensor weights =  // [B K, (H/K) n, keys]
          at::bmm(queries, keys_of(k, block).transpose(1, 2));
      softmax_visible(weights, block, window);
      const at::Tensor target = output.slice(2, block.start, block.end);
      target.copy_(at::bmm(weights, keys_of(v, block)).view(target.sizes()));
      saved.push_back(queries);
      saved.push_back(weights);
    }
    context->save_for_backward(std::move(saved));
    context->saved_data["window"] = window;
    return output;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &k = saved[0], &v = saved[1];
    const at::Tensor dy = gradients[0].contiguous();
    const std::int64_t groups = k.size(0) * k.size(1);
    const at::Tensor dq = at::empty_like(dy);
    // Several blocks add to one key: in float32.
    const at::Tensor dk = at::zeros(k.sizes(), k.options().dtype(at::kFloat));
    const at::Tensor dv = at::zeros(v.sizes(), v.options().dtype(at::kFloat));
    std::size_t next = 2;
    for (const Block& block : blocks_of(k.size(2), context->saved_data["window"].toInt())) {
      const at::Tensor& queries = saved[next++];
      const at::Tensor& weights = saved[next++];
      const at::Tensor slope = queries_of(dy, groups, block);
      add_to_keys(dv, block, at::bmm(weights.transpose(1, 2), slope));
      const at::Tensor scores = at::bmm(slope, keys_of(v, block).transpose(1, 2));
      softmax_slopes(weights, scores);
      const at::Tensor target = dq.slice(2, block.start, block.end);
      target.copy_(at::bmm(scores, keys_of(k, block)).view(target.sizes()));
      add_to_keys(dk, block, at::bmm(scores.transpose(1, 2), queries));
    }
    return {dq, dk.to(k.scalar_type()), dv.to(v.scalar_type()), at::Tensor()};
  }
};

}  // namespace

at::Tensor causal_attention_formula(const at::Tensor& query, const at::Tensor& key,
                                    const at::Tensor& value, std::int64_t window) {
  const std::int64_t length = query.size(2), group = query.size(1) / key.size(1);
  const at::Tensor position = at::arange(length, query.options().dtype(at::kLong));
  const at::Tensor distance = position.unsqueeze(1) - position.unsqueeze(0);  // t - s
  const at::Tensor hidden = (distance < 0).logical_or(distance >= window);    // [T,T]
  const at::Tensor scores =                                                   // [B,H,T,T]
      at::matmul(query, key.repeat_interleave(group, 1).transpose(-1, -2))
          .masked_fill(hidden, -INFINITY);
  return at::matmul(scores.softmax(-1), value.repeat_interleave(group, 1));
}

at::Tensor causal_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            std::int64_t window) {
  if (!has_float_rows(query)) return causal_attention_formula(query, key, value, window);
  return CausalAttention::apply(query, key, value, window);
}

}  // namespace fbt
