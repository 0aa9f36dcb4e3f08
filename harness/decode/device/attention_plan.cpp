#include "harness/decode/device/attention_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <ATen/ATen.h>

#include "harness/decode/device/transfer.h"
#include "harness/model/libtorch_version.h"

namespace fbt {
namespace {

// Queries of a block: bounds the scores that stand in memory where LibTorch has
// no fused attention, and lets sliding layers skip the keys before the window.
constexpr std::int64_t kQueryBlock = 256;
// Keys are padded to a multiple of this, as fused attention likes its masks.
constexpr std::int64_t kKeyAlignment = 8;
// Scores of a batch, over all heads, unless one block alone has more.
constexpr std::int64_t kBatchScores = std::int64_t{1} << 26;

// The arena slots of positions [first, end) of a sequence.
void append_slots(const KvSequence& sequence, LayerKind kind, std::int64_t first, std::int64_t end,
                  std::vector<std::int32_t>& slots) {
  constexpr std::int64_t kPage = KvArena::kPageSlots;
  for (const KvSpan& span : sequence.spans(kind)) {
    const std::int64_t from = std::max(span.position, first);
    const std::int64_t to = std::min(span.position + span.count, end);
    for (std::int64_t position = from; position < to; ++position) {
      const std::int64_t slot = span.first_slot + position - span.position;
      const std::int32_t page = span.block->pages[static_cast<std::size_t>(slot / kPage)];
      slots.push_back(static_cast<std::int32_t>(page * kPage + slot % kPage));
    }
  }
}

}  // namespace

struct AttentionPlan::Block {
  const KvSequence* sequence;
  LayerKind kind;
  std::int64_t first_row;
  std::int64_t count;
  std::int64_t position;   // of the first query
  std::int64_t first_key;  // position of the first key any query sees

  std::int64_t end() const { return position + count; }
  std::int64_t keys() const { return end() - first_key; }
};

AttentionPlan::AttentionPlan(const InferenceModel& model, LayerKind kind,
                             std::span<const TokenRun> runs, std::int64_t rows)
    : key_value_heads_(model.config().num_key_value_heads), head_dim_(model.config().head_dim) {
  const ModelConfig& config = model.config();
  const std::int64_t window =
      kind == LayerKind::kFull ? config.max_position_embeddings : config.sliding_window;
  std::vector<std::int32_t> slots;
  std::vector<Block> blocks;
  for (const TokenRun& run : runs) {
    append_slots(*run.sequence, kind, run.position, run.position + run.count, slots);
    for (std::int64_t first = 0; first < run.count; first += kQueryBlock) {
      const std::int64_t position = run.position + first;
      blocks.push_back({run.sequence, kind, run.first_row + first,
                        std::min(kQueryBlock, run.count - first), position,
                        std::max<std::int64_t>(0, position - window + 1)});
    }
  }
  const std::vector<std::int64_t> wide_slots(slots.begin(), slots.end());
  new_slots_ = to_device(std::span(wide_slots), model.device());

  // Like beside like, so that little is padded.
  std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
    return a.count != b.count ? a.count > b.count : a.keys() > b.keys();
  });
  std::vector<std::int32_t> result_rows(static_cast<std::size_t>(rows));
  std::int64_t results = 0;
  for (std::size_t begin = 0; begin < blocks.size();) {
    std::size_t end = begin;
    std::int64_t scores = 0;  // without padding
    std::int64_t keys = 0;    // of the longest
    while (end < blocks.size()) {
      const std::int64_t more = scores + blocks[end].count * blocks[end].keys();
      const std::int64_t longest = std::max(keys, blocks[end].keys());
      const auto size = static_cast<std::int64_t>(end + 1 - begin);
      const std::int64_t padded = size * blocks[begin].count * longest;
      if (end > begin &&
          (padded > 2 * more || padded * config.num_attention_heads > kBatchScores)) {
        break;
      }
      scores = more;
      keys = longest;
      ++end;
    }
    const std::span<const Block> members(blocks.data() + begin, end - begin);
    batches_.push_back(make_batch(model, members, window));
    for (const Block& block : members) {
      std::iota(result_rows.begin() + block.first_row,
                result_rows.begin() + block.first_row + block.count,
                static_cast<std::int32_t>(results));
      results += batches_.back().queries;
    }
    begin = end;
  }
  result_rows_ = to_device(std::span<const std::int32_t>(result_rows), model.device());
}

AttentionPlan::Batch AttentionPlan::make_batch(const InferenceModel& model,
                                               std::span<const Block> blocks,
                                               std::int64_t window) const {
  const at::Device device = model.device();
  Batch batch;
  batch.blocks = static_cast<std::int64_t>(blocks.size());
  for (const Block& block : blocks) {
    batch.queries = std::max(batch.queries, block.count);
    batch.keys = std::max(batch.keys, block.keys());
  }
  batch.keys = (batch.keys + kKeyAlignment - 1) / kKeyAlignment * kKeyAlignment;
  std::vector<std::int32_t> query_rows;
  std::vector<std::int32_t> key_slots;
  std::vector<std::int64_t> first_queries;  // positions, by block
  std::vector<std::int64_t> first_keys;
  std::vector<std::int64_t> last_keys;
  for (const Block& block : blocks) {
    for (std::int64_t q = 0; q < batch.queries; ++q) {
      // Padding repeats the last query; nobody reads what comes of it.
      query_rows.push_back(
          static_cast<std::int32_t>(block.first_row + std::min(q, block.count - 1)));
    }
    append_slots(*block.sequence, block.kind, block.first_key, block.end(), key_slots);
    key_slots.resize(query_rows.size() / static_cast<std::size_t>(batch.queries) *
                         static_cast<std::size_t>(batch.keys),
                     KvArena::kNullSlot);
    first_queries.push_back(block.position);
    first_keys.push_back(block.first_key);
    last_keys.push_back(block.end() - 1);
  }
  batch.query_rows = to_device(std::span<const std::int32_t>(query_rows), device);
  batch.key_slots = to_device(std::span<const std::int32_t>(key_slots), device);

  const auto column = [&](const std::vector<std::int64_t>& values) {
    return to_device(std::span(values), device).view({-1, 1});
  };
  const at::TensorOptions integers = at::TensorOptions(at::kLong).device(device);
  const at::Tensor last = column(last_keys);
  const at::Tensor query_position =  // [B,Q]
      at::minimum(column(first_queries) + at::arange(batch.queries, integers), last);
  const at::Tensor key_position = column(first_keys) + at::arange(batch.keys, integers);  // [B,S]
  const at::Tensor distance = query_position.unsqueeze(2) - key_position.unsqueeze(1);    // [B,Q,S]
  const at::Tensor hidden = (distance < 0).logical_or(distance >= window);
  const std::int64_t group = model.config().num_attention_heads / key_value_heads_;
  batch.mask = at::zeros(hidden.sizes(), integers.dtype(model.compute_type()))
                   .masked_fill(hidden, -std::numeric_limits<double>::infinity())
                   .unsqueeze(1)
                   .repeat({1, 1, group, 1});
  return batch;
}

void AttentionPlan::store(const at::Tensor& new_keys, const at::Tensor& new_values,
                          const at::Tensor& keys, const at::Tensor& values) const {
  keys.index_copy_(0, new_slots_, new_keys);
  values.index_copy_(0, new_slots_, new_values);
}

at::Tensor AttentionPlan::attend(const at::Tensor& query, const at::Tensor& keys,
                                 const at::Tensor& values) const {
  const std::int64_t heads = query.size(1);
  const std::int64_t group = heads / key_value_heads_;
  std::vector<at::Tensor> results;
  for (const Batch& batch : batches_) {
    // Query head h reads key/value head floor(h K / H), so the H/K queries of a
    // group become queries of one head: keys are never repeated.
    const at::Tensor q =
        query.index_select(0, batch.query_rows)
            .view({batch.blocks, batch.queries, key_value_heads_, group, head_dim_})
            .permute({0, 2, 3, 1, 4})
            .reshape({batch.blocks, key_value_heads_, group * batch.queries,
                      head_dim_});  // [B,K,H/K*Q,d]
    const auto gather = [&](const at::Tensor& array) {
      return array.index_select(0, batch.key_slots)
          .view({batch.blocks, batch.keys, key_value_heads_, head_dim_})
          .transpose(1, 2);  // [B,K,S,d]
    };
    results.push_back(
        scaled_dot_product_attention(q, gather(keys), gather(values), batch.mask)
            .reshape({batch.blocks, key_value_heads_, group, batch.queries, head_dim_})
            .permute({0, 3, 1, 2, 4})
            .reshape({batch.blocks * batch.queries, heads * head_dim_}));
  }
  const at::Tensor all = results.size() == 1 ? results.front() : at::cat(results);
  return all.index_select(0, result_rows_);
}

}  // namespace fbt
