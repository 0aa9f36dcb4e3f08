#include "harness/decode/kv_cache.h"

#include <algorithm>
#include <map>
#include <utility>

#include <ATen/ATen.h>

#include "harness/decode/device/kv_arena.h"
#include "harness/decode/kernels/kernels.h"
#include "harness/decode/large_pages.h"

namespace fbt {
namespace {

static_assert(kernels::kSlotAlignment % KvArena::kPageSlots == 0, "blocks are whole pages");

constexpr std::int64_t kLargestBlock = 256;

std::int64_t block_capacity(std::int64_t positions) {
  const std::int64_t wanted = std::min(positions, kLargestBlock);
  return (wanted + kernels::kSlotAlignment - 1) / kernels::kSlotAlignment * kernels::kSlotAlignment;
}

}  // namespace

struct KvPool::Store {
  std::map<std::pair<LayerKind, std::int64_t>, std::vector<at::Tensor>> unused;
  std::int64_t bytes_in_use = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t bytes_unused = 0;

  void count(std::int64_t bytes) {
    bytes_in_use += bytes;
    peak_bytes = std::max(peak_bytes, bytes_in_use);
  }
};

KvPool::KvPool(const ModelConfig& config, at::ScalarType dtype, std::int64_t budget_bytes,
               std::shared_ptr<KvArena> arena)
    : store_(std::make_shared<Store>()),
      layers_{0, 0},
      position_elements_(2 * config.num_key_value_heads * config.head_dim),
      window_(config.sliding_window),
      budget_bytes_(budget_bytes),
      dtype_(dtype),
      arena_(std::move(arena)) {
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    ++layers_[config.is_full_attention(layer) ? 0 : 1];
  }
}

std::shared_ptr<KvBlock> KvPool::allocate_pages(LayerKind kind, std::int64_t capacity) {
  auto block = std::make_unique<KvBlock>();
  block->capacity = capacity;
  block->pages = arena_->take(kind, capacity / KvArena::kPageSlots);
  const std::int64_t bytes = capacity * bytes_per_position(kind);
  store_->count(bytes);
  return {block.release(), [store = store_, arena = arena_, kind, bytes](KvBlock* returned) {
            store->bytes_in_use -= bytes;
            arena->give_back(kind, returned->pages);
            delete returned;
          }};
}

std::shared_ptr<KvBlock> KvPool::allocate(LayerKind kind, std::int64_t capacity) {
  if (arena_) return allocate_pages(kind, capacity);
  auto block = std::make_unique<KvBlock>();
  block->capacity = capacity;
  const std::int64_t bytes = capacity * bytes_per_position(kind);
  std::vector<at::Tensor>& unused = store_->unused[{kind, capacity}];
  if (!unused.empty()) {
    block->data = std::move(unused.back());
    unused.pop_back();
    store_->bytes_unused -= bytes;
  } else {
    if (store_->bytes_in_use + store_->bytes_unused + bytes > budget_bytes_) {
      for (auto& [key, tensors] : store_->unused) tensors.clear();
      store_->bytes_unused = 0;
    }
    block->data =
        at::empty({layers_[static_cast<std::size_t>(kind)], 2, position_elements_ / 2 * capacity},
                  at::TensorOptions(dtype_));
    prefer_large_pages(block->data.data_ptr(), block->data.nbytes());
    // Attention in whole panels reads slots that nobody wrote yet, and multiplies
    // them by zero.
    block->data.zero_();
  }
  store_->count(bytes);
  return {block.release(), [store = store_, kind, bytes](KvBlock* returned) {
            store->bytes_in_use -= bytes;
            store->bytes_unused += bytes;
            store->unused[{kind, returned->capacity}].push_back(std::move(returned->data));
            delete returned;
          }};
}

std::int64_t KvPool::bytes_in_use() const {
  return store_->bytes_in_use;
}

std::int64_t KvPool::peak_bytes() const {
  return store_->peak_bytes;
}

bool KvPool::make_room(std::int64_t bytes) {
  while (bytes_in_use() + bytes > budget_bytes_) {
    if (!reclaim_ || !reclaim_()) return false;
  }
  return true;
}

std::int64_t KvPool::bytes_per_position(LayerKind kind) const {
  return layers_[static_cast<std::size_t>(kind)] * position_elements_ *
         static_cast<std::int64_t>(c10::elementSize(dtype_));
}

std::int64_t KvPool::tail_bytes(std::int64_t positions) const {
  // Blocks are rounded up, and one more may be open at the window's far end.
  return bytes_per_position(LayerKind::kFull) * (positions + kLargestBlock) +
         bytes_per_position(LayerKind::kSliding) *
             (std::min(positions, window_ + kLargestBlock) + kLargestBlock);
}

void KvSequence::append(std::int64_t count, std::int64_t block_hint) {
  for (const LayerKind kind : {LayerKind::kFull, LayerKind::kSliding}) {
    if (pool_->bytes_per_position(kind) == 0) continue;
    std::vector<KvSpan>& spans = spans_[static_cast<std::size_t>(kind)];
    for (std::int64_t position = length_; position < length_ + count;) {
      const std::int64_t missing = length_ + count - position;
      // The last block can be continued unless it is full or another sequence
      // has gone on in it.
      const bool open = !spans.empty() && spans.back().block->used < spans.back().block->capacity &&
                        spans.back().block->used == spans.back().first_slot + spans.back().count;
      if (!open) {
        spans.push_back(
            {pool_->allocate(kind, block_capacity(std::max(missing, block_hint))), 0, 0, position});
      }
      KvBlock& block = *spans.back().block;
      const std::int64_t taken = std::min(missing, block.capacity - block.used);
      block.used += taken;
      spans.back().count += taken;
      position += taken;
    }
  }
  length_ += count;
}

void KvSequence::drop_expired() {
  std::vector<KvSpan>& spans = spans_[static_cast<std::size_t>(LayerKind::kSliding)];
  // The next position sees itself and window - 1 before it.
  const std::int64_t first_visible = length_ - pool_->window() + 1;
  const auto kept = std::find_if(spans.begin(), spans.end(), [&](const KvSpan& span) {
    return span.position + span.count > first_visible;
  });
  spans.erase(spans.begin(), kept);
}

}  // namespace fbt
