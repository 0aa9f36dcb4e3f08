#include "harness/decode/inference_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/error.h"
#include "harness/decode/parallel.h"
#include "harness/decode/scalar.h"

namespace fbt {
namespace {

using kernels::Wide;

// Hands out the weights one by one, by the names of tensor_list().
class Loader {
 public:
  Loader(const ModelConfig& config, const WeightSource& source, at::ScalarType dtype)
      : specs_(tensor_list(config)), source_(source), dtype_(dtype) {}

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

}  // namespace

// Buffers of one forward pass, used by all its layers.
struct InferenceModel::Workspace {
  at::Tensor normed;                    // [T,D]
  at::Tensor qkv;                       // [T, H d + 2 K d + H]
  at::Tensor mixed;                     // [T, H d]
  at::Tensor projected;                 // [T,D]: output of attention or feed-forward
  at::Tensor gate_up;                   // [T,2I]
  at::Tensor activated;                 // [T,I]
  at::Tensor scratch;                   // [threads, attention_scratch]
  std::vector<std::int64_t> positions;  // [T]
};

InferenceModel::InferenceModel(const ModelConfig& config, const WeightSource& weights,
                               at::ScalarType compute, bool batch_invariant)
    : config_(config), compute_(compute) {
  if (config.head_dim > kernels::kLargestHeadDim) {
    throw InputError(fmt::format("config.json: \"head_dim\" is {}; the engine supports up to {}",
                                 config.head_dim, kernels::kLargestHeadDim));
  }
  const Loader loader(config, weights, compute);
  const auto linear = [&](const std::string& name) {
    return Linear(loader.take(name), batch_invariant);
  };
  embedding_ = loader.take("model.embed_tokens.weight");
  head_ = Linear(embedding_, batch_invariant, /*in_place=*/true);
  std::int64_t of_kind[2] = {0, 0};
  for (std::int64_t i = 0; i < config.num_hidden_layers; ++i) {
    const auto name = [&](std::string_view part) {
      return fmt::format("model.layers.{}.{}.weight", i, part);
    };
    Layer layer;
    layer.input_norm = loader.take(name("input_layernorm"));
    layer.qkv = Linear(
        at::cat({loader.take(name("self_attn.q_proj")), loader.take(name("self_attn.k_proj")),
                 loader.take(name("self_attn.v_proj")), loader.take(name("self_attn.head_gate"))}),
        batch_invariant);
    layer.query_norm = loader.take(name("self_attn.q_norm"));
    layer.key_norm = loader.take(name("self_attn.k_norm"));
    layer.output = linear(name("self_attn.o_proj"));
    layer.post_attention_norm = loader.take(name("post_attention_layernorm"));
    layer.pre_feedforward_norm = loader.take(name("pre_feedforward_layernorm"));
    layer.gate_up =
        Linear(at::cat({loader.take(name("mlp.gate_proj")), loader.take(name("mlp.up_proj"))}),
               batch_invariant);
    layer.down = linear(name("mlp.down_proj"));
    layer.post_feedforward_norm = loader.take(name("post_feedforward_layernorm"));
    layers_.push_back(std::move(layer));
    index_in_kind_.push_back(of_kind[config.is_full_attention(i) ? 0 : 1]++);
  }
  final_norm_ = loader.take("model.norm.weight");
  if (config.latent_feedback) {
    state_proj_ = linear("model.feedback.state_proj.weight");
    token_gate_ = linear("model.feedback.token_gate.weight");
    feedback_norm_ = loader.take("model.feedback.norm.weight");
  }
  // theta^(-2j/d) for the pairs j; angles in float64.
  const at::Tensor frequency =
      at::pow(config.rope_theta, at::arange(config.head_dim / 2, at::kDouble) *
                                     (-2.0 / static_cast<double>(config.head_dim)));
  const at::Tensor angle =
      at::arange(config.max_position_embeddings, at::kDouble).unsqueeze(1) * frequency;
  cosine_ = angle.cos().to(wide_type());
  sine_ = angle.sin().to(wide_type());
}

at::Tensor InferenceModel::embed(std::span<const int> tokens) const {
  const auto count = static_cast<std::int64_t>(tokens.size());
  const at::Tensor out = at::empty({count, config_.hidden_size}, embedding_.options());
  const std::size_t row_bytes =
      static_cast<std::size_t>(config_.hidden_size) * embedding_.element_size();
  const auto* table = static_cast<const char*>(embedding_.data_ptr());
  auto* rows = static_cast<char*>(out.data_ptr());
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    std::memcpy(rows + t * row_bytes, table + static_cast<std::size_t>(tokens[t]) * row_bytes,
                row_bytes);
  }
  return out;
}

at::Tensor InferenceModel::plain_inputs(const at::Tensor& embeddings) const {
  at::Tensor inputs = at::empty(embeddings.sizes(), embeddings.options().dtype(wide_type()));
  with_scalar(compute_, [&]<typename S>(S) {
    parallel_rows(embeddings.size(0), config_.hidden_size, [&](auto begin, auto end) {
      kernels::table<S>().widen(scalars<S>(embeddings), wide_scalars<S>(inputs),
                                config_.hidden_size, begin, end);
    });
  });
  return inputs;
}

at::Tensor InferenceModel::fused_inputs(const at::Tensor& previous_states,
                                        const at::Tensor& embeddings,
                                        std::span<const std::uint8_t> plain) const {
  if (!config_.latent_feedback) {
    throw InputError("the checkpoint has no feedback weights; only the standard mode works");
  }
  const at::Tensor value = at::empty(embeddings.sizes(), embeddings.options());
  const at::Tensor gate = at::empty(embeddings.sizes(), embeddings.options());
  state_proj_.apply(previous_states, value);
  token_gate_.apply(embeddings, gate);
  at::Tensor inputs = at::empty(embeddings.sizes(), embeddings.options().dtype(wide_type()));
  with_scalar(compute_, [&]<typename S>(S) {
    parallel_rows(embeddings.size(0), config_.hidden_size, [&](auto begin, auto end) {
      kernels::table<S>().fuse(scalars<S>(value), scalars<S>(gate), scalars<S>(embeddings),
                               plain.data(), scalars<S>(feedback_norm_), wide_scalars<S>(inputs),
                               config_.hidden_size, config_.rms_norm_eps, begin, end);
    });
  });
  return inputs;
}

at::Tensor InferenceModel::logits(const at::Tensor& states) const {
  const at::Tensor out =
      at::empty({states.size(0), config_.vocab_size}, states.options().dtype(wide_type()));
  head_.apply(states, out);
  return out;
}

void InferenceModel::products_only(std::int64_t tokens) const {
  const at::TensorOptions options = embedding_.options();
  const auto product = [&](const Linear& linear) {
    // Zeros: the time of a product does not depend on the values.
    linear.apply(at::zeros({tokens, linear.inputs()}, options),
                 at::empty({tokens, linear.outputs()}, options));
  };
  for (const Layer& layer : layers_) {
    for (const Linear* linear : {&layer.qkv, &layer.output, &layer.gate_up, &layer.down}) {
      product(*linear);
    }
  }
}

at::Tensor InferenceModel::forward(const at::Tensor& inputs, std::span<const TokenRun> runs,
                                   Profile& profile, const ResidualObserver& observer) const {
  at::Tensor states;
  with_scalar(compute_,
              [&]<typename S>(S) { states = forward_as<S>(inputs, runs, profile, observer); });
  return states;
}

template <typename S>
at::Tensor InferenceModel::forward_as(const at::Tensor& inputs, std::span<const TokenRun> runs,
                                      Profile& profile, const ResidualObserver& observer) const {
  const kernels::Table<S>& kernel = kernels::table<S>();
  const std::int64_t tokens = inputs.size(0);
  const std::int64_t hidden = config_.hidden_size;
  const std::int64_t inner = config_.intermediate_size;
  const at::TensorOptions options = embedding_.options();
  Workspace work;
  work.normed = at::empty({tokens, hidden}, options);
  work.qkv = at::empty({tokens, layers_.front().qkv.outputs()}, options);
  work.mixed = at::empty({tokens, layers_.front().output.inputs()}, options);
  work.projected = at::empty({tokens, hidden}, options);
  work.gate_up = at::empty({tokens, 2 * inner}, options);
  work.activated = at::empty({tokens, inner}, options);
  work.positions.resize(static_cast<std::size_t>(tokens));
  std::int64_t longest = 0;
  for (const TokenRun& run : runs) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      work.positions[static_cast<std::size_t>(run.first_row + i)] = run.position + i;
    }
    longest = std::max(longest, run.position + run.count);
  }
  work.scratch =
      at::empty({at::get_num_threads(), kernels::attention_scratch(longest)}, inputs.options());

  if (observer) observer(inputs);
  Wide<S>* residual = wide_scalars<S>(inputs);
  parallel_rows(tokens, hidden, [&](auto begin, auto end) {
    kernel.norm(residual, scalars<S>(layers_.front().input_norm), scalars<S>(work.normed), hidden,
                config_.rms_norm_eps, begin, end);
  });
  const auto add_and_norm = [&](const at::Tensor& gain, const at::Tensor& next_gain) {
    parallel_rows(tokens, hidden, [&](auto begin, auto end) {
      kernel.add_norm(residual, scalars<S>(work.projected), scalars<S>(gain), scalars<S>(next_gain),
                      scalars<S>(work.normed), hidden, config_.residual_multiplier,
                      config_.rms_norm_eps, begin, end);
    });
  };
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    const auto index = static_cast<std::int64_t>(i);
    project_and_store<S>(layer, index, runs, work);
    {
      const Profile::Timer timer(profile, EngineStage::kAttention);
      attend<S>(index, runs, work);
    }
    layer.output.apply(work.mixed, work.projected);
    add_and_norm(layer.post_attention_norm, layer.pre_feedforward_norm);
    layer.gate_up.apply(work.normed, work.gate_up);
    parallel_rows(tokens, inner, [&](auto begin, auto end) {
      kernel.silu_mul(scalars<S>(work.gate_up), scalars<S>(work.activated), inner, begin, end);
    });
    layer.down.apply(work.activated, work.projected);
    const bool last = i + 1 == layers_.size();
    add_and_norm(layer.post_feedforward_norm, last ? final_norm_ : layers_[i + 1].input_norm);
    if (observer) observer(inputs);
  }
  return work.normed;
}

template <typename S>
void InferenceModel::project_and_store(const Layer& layer, std::int64_t index,
                                       std::span<const TokenRun> runs, Workspace& work) const {
  layer.qkv.apply(work.normed, work.qkv);
  const LayerKind kind = config_.is_full_attention(index) ? LayerKind::kFull : LayerKind::kSliding;
  std::vector<kernels::Slot<S>> slots(work.positions.size());
  for (const TokenRun& run : runs) {
    for (const KvSpan& span : run.sequence->spans(kind)) {
      const std::int64_t from = std::max(span.position, run.position);
      const std::int64_t to = std::min(span.position + span.count, run.position + run.count);
      S* keys = scalars<S>(span.block->data) +
                index_in_kind_[static_cast<std::size_t>(index)] * span.block->data.stride(0);
      S* values = keys + span.block->data.stride(1);
      for (std::int64_t position = from; position < to; ++position) {
        slots[static_cast<std::size_t>(run.first_row + position - run.position)] = {
            keys, values, span.block->capacity, span.first_slot + position - span.position};
      }
    }
  }
  const kernels::QkvArgs<S> args{
      scalars<S>(work.qkv),
      layer.qkv.outputs(),
      {config_.num_attention_heads, config_.num_key_value_heads, config_.head_dim},
      scalars<S>(layer.query_norm),
      scalars<S>(layer.key_norm),
      wide_scalars<S>(cosine_),
      wide_scalars<S>(sine_),
      work.positions.data(),
      slots.data(),
      config_.rms_norm_eps};
  parallel_rows(static_cast<std::int64_t>(slots.size()), layer.qkv.outputs(),
                [&](auto begin, auto end) { kernels::table<S>().qkv(args, begin, end); });
}

template <typename S>
void InferenceModel::attend(std::int64_t index, std::span<const TokenRun> runs,
                            Workspace& work) const {
  const bool full = config_.is_full_attention(index);
  const std::int64_t window = full ? config_.max_position_embeddings : config_.sliding_window;
  const kernels::Shape shape{config_.num_attention_heads, config_.num_key_value_heads,
                             config_.head_dim};
  const std::int64_t group = shape.heads / shape.key_value_heads;

  // Keys and values of every run, as the kernel reads them.
  std::vector<std::vector<kernels::Segment<S>>> segments(runs.size());
  struct Item {
    std::size_t run;
    std::int64_t first;  // query within the run
    std::int64_t count;
  };
  std::vector<Item> items;
  const std::int64_t block = std::max<std::int64_t>(1, kernels::kAttentionRows / group);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const KvSpan& span :
         runs[r].sequence->spans(full ? LayerKind::kFull : LayerKind::kSliding)) {
      const S* keys = scalars<S>(span.block->data) +
                      index_in_kind_[static_cast<std::size_t>(index)] * span.block->data.stride(0);
      segments[r].push_back({keys, keys + span.block->data.stride(1), span.block->capacity,
                             span.first_slot, span.count, span.position});
    }
    for (std::int64_t first = 0; first < runs[r].count; first += block) {
      items.push_back({r, first, std::min(block, runs[r].count - first)});
    }
  }
  const S* queries = scalars<S>(work.qkv);
  const std::int64_t stride = work.qkv.size(1);
  const std::int64_t gate_column = stride - shape.heads;
  const std::int64_t width = work.mixed.size(1);
  // Late queries see more keys: they go first, so that no thread is left with them.
  parallel_items(
      static_cast<std::int64_t>(items.size()) * shape.key_value_heads,
      [&](std::int64_t number, std::int64_t thread) {
        const Item& item =
            items[items.size() - 1 - static_cast<std::size_t>(number / shape.key_value_heads)];
        const std::int64_t head = number % shape.key_value_heads;
        const TokenRun& run = runs[item.run];
        const std::int64_t row = run.first_row + item.first;
        kernels::AttentionArgs<S> args;
        args.query = queries + row * stride + head * group * shape.head_dim;
        args.gate = queries + row * stride + gate_column + head * group;
        args.out = scalars<S>(work.mixed) + row * width + head * group * shape.head_dim;
        args.query_stride = stride;
        args.out_stride = width;
        args.count = item.count;
        args.position = run.position + item.first;
        args.window = window;
        args.shape = shape;
        args.key_value_head = head;
        args.segments = segments[item.run].data();
        args.segment_count = static_cast<std::int64_t>(segments[item.run].size());
        args.scratch = wide_scalars<S>(work.scratch) + thread * work.scratch.size(1);
        kernels::table<S>().attention(args);
      });
}

}  // namespace fbt
