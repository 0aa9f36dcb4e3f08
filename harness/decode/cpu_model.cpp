#include "harness/decode/cpu_model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/error.h"
#include "harness/decode/cpu_chooser.h"
#include "harness/decode/parallel.h"
#include "harness/decode/scalar.h"
#include "harness/decode/weight_loader.h"
#include "harness/model/rotary.h"

namespace fbt {
namespace {

using kernels::Wide;

// Tokens that the feed-forward is computed for at a time: its inner activations are
// the largest there are. More make its products no faster. A multiple of the
// rows of any batch-invariant product.
constexpr std::int64_t kFeedForwardRows = 576;

PendingTokens there_already(std::vector<ChosenToken> chosen) {
  at::Tensor tokens = at::empty({static_cast<std::int64_t>(chosen.size())}, at::kLong);
  std::transform(chosen.begin(), chosen.end(), tokens.data_ptr<std::int64_t>(),
                 [](const ChosenToken& one) { return one.token; });
  return {std::move(tokens), [chosen = std::move(chosen)] { return chosen; }};
}

}  // namespace

// Buffers of one forward pass, used by all its layers. Attention's and the
// feed-forward's are never needed together and lie in the same memory.
struct CpuModel::Workspace {
  at::Tensor normed;                    // [T,D]
  at::Tensor qkv;                       // [T, H d + 2 K d + H]
  at::Tensor mixed;                     // [T, H d]
  at::Tensor projected;                 // [T,D]: output of attention or feed-forward
  at::Tensor gate_up;                   // [F,2I]; F: kFeedForwardRows, or T if that is less
  at::Tensor activated;                 // [F,I]
  at::Tensor attention;                 // [threads, attention_scratch]
  std::vector<std::int64_t> positions;  // [T]
};

CpuModel::CpuModel(const ModelConfig& config, const WeightSource& weights, at::ScalarType compute,
                   bool batch_invariant)
    : InferenceModel(config, compute, at::kCPU), batch_invariant_(batch_invariant) {
  if (config.head_dim > kernels::kLargestHeadDim) {
    throw InputError(fmt::format("config.json: \"head_dim\" is {}; the engine supports up to {}",
                                 config.head_dim, kernels::kLargestHeadDim));
  }
  const WeightLoader loader(config, weights, compute);
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
  const at::Tensor angle = rotary_angles(config, config.max_position_embeddings);
  cosine_ = angle.cos().to(wide_type());
  sine_ = angle.sin().to(wide_type());
}

at::Tensor CpuModel::embed(const at::Tensor& tokens) const {
  return embedding_.index_select(0, tokens);
}

at::Tensor CpuModel::plain_inputs(const at::Tensor& embeddings) const {
  at::Tensor inputs = at::empty(embeddings.sizes(), embeddings.options().dtype(wide_type()));
  with_scalar(compute_type(), [&]<typename S>(S) {
    parallel_rows(embeddings.size(0), config().hidden_size, [&](auto begin, auto end) {
      kernels::table<S>().widen(scalars<S>(embeddings), wide_scalars<S>(inputs),
                                config().hidden_size, begin, end);
    });
  });
  return inputs;
}

at::Tensor CpuModel::fused_inputs(const at::Tensor& previous_states, const at::Tensor& embeddings,
                                  const at::Tensor& plain) const {
  require_feedback();
  Scratch::Frame frame(scratch_);
  const at::Tensor value = frame.take(embeddings.sizes(), compute_type());
  const at::Tensor gate = frame.take(embeddings.sizes(), compute_type());
  state_proj_.apply(previous_states, value, scratch_);
  token_gate_.apply(embeddings, gate, scratch_);
  at::Tensor inputs = at::empty(embeddings.sizes(), embeddings.options().dtype(wide_type()));
  with_scalar(compute_type(), [&]<typename S>(S) {
    parallel_rows(embeddings.size(0), config().hidden_size, [&](auto begin, auto end) {
      kernels::table<S>().fuse(scalars<S>(value), scalars<S>(gate), scalars<S>(embeddings),
                               static_cast<const std::uint8_t*>(plain.data_ptr()),
                               scalars<S>(feedback_norm_), wide_scalars<S>(inputs),
                               config().hidden_size, config().rms_norm_eps, begin, end);
    });
  });
  return inputs;
}

at::Tensor CpuModel::logits(const at::Tensor& states) const {
  const at::Tensor out =
      at::empty({states.size(0), config().vocab_size}, states.options().dtype(wide_type()));
  logits(states, out);
  return out;
}

void CpuModel::logits(const at::Tensor& states, const at::Tensor& out) const {
  head_.apply(states, out, scratch_);
}

PendingTokens CpuModel::choose(const at::Tensor& states, std::span<const TokenChoice> choices,
                               Profile& profile) const {
  return there_already(choose_tokens(*this, states, choices, profile));
}

PendingScores CpuModel::score(const at::Tensor& states, std::span<const ScoredToken> wanted,
                              Profile& profile) const {
  return [scores = score_tokens(*this, states, wanted, profile)] { return scores; };
}

void CpuModel::products_only(std::int64_t tokens) const {
  const auto product = [&](const Linear& linear) {
    Scratch::Frame frame(scratch_);
    // Zeros: the time of a product does not depend on the values.
    linear.apply(frame.take({tokens, linear.inputs()}, compute_type()).zero_(),
                 frame.take({tokens, linear.outputs()}, compute_type()), scratch_);
  };
  for (const Layer& layer : layers_) {
    for (const Linear* linear : {&layer.qkv, &layer.output, &layer.gate_up, &layer.down}) {
      product(*linear);
    }
  }
}

at::Tensor CpuModel::forward(const at::Tensor& inputs, std::span<const TokenRun> runs,
                             Profile& profile, const ResidualObserver& observer) const {
  at::Tensor states;
  with_scalar(compute_type(),
              [&]<typename S>(S) { states = forward_as<S>(inputs, runs, profile, observer); });
  return states;
}

template <typename S>
at::Tensor CpuModel::forward_as(const at::Tensor& inputs, std::span<const TokenRun> runs,
                                Profile& profile, const ResidualObserver& observer) const {
  const kernels::Table<S>& kernel = kernels::table<S>();
  const std::int64_t tokens = inputs.size(0);
  const std::int64_t hidden = config().hidden_size;
  const std::int64_t inner = config().intermediate_size;
  Scratch::Frame frame(scratch_);
  Workspace work;
  const std::int64_t projections = layers_.front().qkv.outputs();
  const std::int64_t heads = layers_.front().output.inputs();
  const std::int64_t part = std::min(tokens, kFeedForwardRows);
  const at::Tensor shared =
      frame.take({std::max(tokens * (projections + heads), part * 3 * inner)}, compute_type());
  work.mixed = shared.narrow(0, 0, tokens * heads).view({tokens, heads});
  work.qkv = shared.narrow(0, tokens * heads, tokens * projections).view({tokens, projections});
  work.gate_up = shared.narrow(0, 0, part * 2 * inner).view({part, 2 * inner});
  work.activated = shared.narrow(0, part * 2 * inner, part * inner).view({part, inner});
  work.normed = at::empty({tokens, hidden}, embedding_.options());  // outlives the pass
  work.projected = frame.take({tokens, hidden}, compute_type());
  work.positions.resize(static_cast<std::size_t>(tokens));
  std::int64_t longest = 0;
  std::int64_t most_segments = 0;
  for (const TokenRun& run : runs) {
    for (const LayerKind kind : {LayerKind::kFull, LayerKind::kSliding}) {
      most_segments = std::max<std::int64_t>(most_segments, run.sequence->spans(kind).size());
    }
    for (std::int64_t i = 0; i < run.count; ++i) {
      work.positions[static_cast<std::size_t>(run.first_row + i)] = run.position + i;
    }
    longest = std::max(longest, run.position + run.count);
  }
  work.attention = frame.take(
      {at::get_num_threads(), kernels::attention_scratch(longest, most_segments)}, wide_type());

  if (observer) observer(inputs);
  Wide<S>* residual = wide_scalars<S>(inputs);
  parallel_rows(tokens, hidden, [&](auto begin, auto end) {
    kernel.norm(residual, scalars<S>(layers_.front().input_norm), scalars<S>(work.normed), hidden,
                config().rms_norm_eps, begin, end);
  });
  const auto add_and_norm = [&](const at::Tensor& gain, const at::Tensor& next_gain) {
    parallel_rows(tokens, hidden, [&](auto begin, auto end) {
      kernel.add_norm(residual, scalars<S>(work.projected), scalars<S>(gain), scalars<S>(next_gain),
                      scalars<S>(work.normed), hidden, config().residual_multiplier,
                      config().rms_norm_eps, begin, end);
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
    layer.output.apply(work.mixed, work.projected, scratch_);
    add_and_norm(layer.post_attention_norm, layer.pre_feedforward_norm);
    feed_forward<S>(layer, work);
    const bool last = i + 1 == layers_.size();
    add_and_norm(layer.post_feedforward_norm, last ? final_norm_ : layers_[i + 1].input_norm);
    if (observer) observer(inputs);
  }
  return work.normed;
}

template <typename S>
void CpuModel::project_and_store(const Layer& layer, std::int64_t index,
                                 std::span<const TokenRun> runs, Workspace& work) const {
  layer.qkv.apply(work.normed, work.qkv, scratch_);
  const LayerKind kind = config().is_full_attention(index) ? LayerKind::kFull : LayerKind::kSliding;
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
      {config().num_attention_heads, config().num_key_value_heads, config().head_dim},
      scalars<S>(layer.query_norm),
      scalars<S>(layer.key_norm),
      wide_scalars<S>(cosine_),
      wide_scalars<S>(sine_),
      work.positions.data(),
      slots.data(),
      config().rms_norm_eps};
  parallel_rows(static_cast<std::int64_t>(slots.size()), layer.qkv.outputs(),
                [&](auto begin, auto end) { kernels::table<S>().qkv(args, begin, end); });
}

template <typename S>
void CpuModel::feed_forward(const Layer& layer, Workspace& work) const {
  const std::int64_t inner = config().intermediate_size;
  const std::int64_t tokens = work.normed.size(0);
  for (std::int64_t first = 0; first < tokens; first += kFeedForwardRows) {
    const std::int64_t count = std::min(kFeedForwardRows, tokens - first);
    const at::Tensor gate_up = work.gate_up.narrow(0, 0, count);
    const at::Tensor activated = work.activated.narrow(0, 0, count);
    layer.gate_up.apply(work.normed.narrow(0, first, count), gate_up, scratch_);
    parallel_rows(count, inner, [&](auto begin, auto end) {
      kernels::table<S>().silu_mul(scalars<S>(gate_up), scalars<S>(activated), inner, begin, end);
    });
    layer.down.apply(activated, work.projected.narrow(0, first, count), scratch_);
  }
}

template <typename S>
auto CpuModel::attention_kernel() const -> void (*)(const kernels::AttentionArgs<S>&) {
  if constexpr (std::is_same_v<S, kernels::Bf16>) {
    const kernels::TileAttention tiles = kernels::tile_attention();
    if (tiles != nullptr && !batch_invariant_ && config().head_dim % kernels::kTileDepth == 0) {
      return tiles;
    }
  }
  return kernels::table<S>().attention;
}

template <typename S>
void CpuModel::attend(std::int64_t index, std::span<const TokenRun> runs, Workspace& work) const {
  const bool full = config().is_full_attention(index);
  const std::int64_t window = full ? config().max_position_embeddings : config().sliding_window;
  const kernels::Shape shape{config().num_attention_heads, config().num_key_value_heads,
                             config().head_dim};
  const std::int64_t group = shape.heads / shape.key_value_heads;

  // Keys and values of every run, as the kernel reads them.
  std::vector<std::vector<kernels::Segment<S>>> segments(runs.size());
  struct Item {
    std::size_t run;
    std::int64_t first;  // query within the run
    std::int64_t count;
  };
  std::vector<Item> items;
  const auto attention = attention_kernel<S>();
  const std::int64_t block = std::max<std::int64_t>(1, kernels::kTileRows / group);
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
  // Head by head: what queries of one sequence, or of sequences with a common prefix,
  // read stays in a core's own cache. Late queries see more keys: they go first, so
  // that no thread is left with them.
  const auto of_a_head = static_cast<std::int64_t>(items.size());
  parallel_items(of_a_head * shape.key_value_heads, [&](std::int64_t number, std::int64_t thread) {
    const Item& item = items[static_cast<std::size_t>(of_a_head - 1 - number % of_a_head)];
    const std::int64_t head = number / of_a_head;
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
    args.scratch = wide_scalars<S>(work.attention) + thread * work.attention.size(1);
    attention(args);
  });
}

}  // namespace fbt
