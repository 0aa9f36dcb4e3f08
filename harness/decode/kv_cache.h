#pragma once

// The key/value cache: blocks of consecutive positions, shared by all sequences
// that have them in common. A fork copies references, never keys or values.
// Layers that attend to the whole context and those with a sliding window have
// blocks of their own, so that the latter's can go as the window moves on.
//
// Not thread-safe: one thread plans and appends; the arrays themselves are
// written and read by the model's operations.

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/decode/layer_kind.h"
#include "harness/model/config.h"

namespace fbt {

class KvArena;

// Keys and values of up to `capacity` positions for all layers of one kind.
struct KvBlock {
  at::Tensor data;                  // [layers of the kind, 2, K * d * capacity]; without an arena
  std::vector<std::int32_t> pages;  // of the arena's, in order of positions; with one
  std::int64_t capacity = 0;
  std::int64_t used = 0;  // slots handed out; only the sequence that ends here may go on
};

// Makes blocks, remembers the memory they take, and keeps returned ones for reuse.
class KvPool {
 public:
  // Keeps unused blocks for reuse only while all blocks together stay within
  // `budget_bytes`; keeping those in use within it is up to the caller. With an
  // `arena`, blocks are pages of it.
  KvPool(const ModelConfig& config, at::ScalarType dtype, std::int64_t budget_bytes,
         std::shared_ptr<KvArena> arena = nullptr);

  // A block with all slots free; it comes back by itself when its last user goes.
  std::shared_ptr<KvBlock> allocate(LayerKind kind, std::int64_t capacity);

  std::int64_t bytes_in_use() const;
  // The most that were in use at once so far.
  std::int64_t peak_bytes() const;
  std::int64_t budget_bytes() const { return budget_bytes_; }

  // Whoever holds blocks that could be done without: each call lets go of some;
  // false: there are none.
  void set_reclaimer(std::function<bool()> reclaim) { reclaim_ = std::move(reclaim); }
  // Whether `bytes` more fit the budget, after reclaiming what it takes.
  bool make_room(std::int64_t bytes);

  // Bytes of one position over all layers of a kind.
  std::int64_t bytes_per_position(LayerKind kind) const;
  std::int64_t window() const { return window_; }
  // Bytes a sequence's own tail of `positions` takes at most.
  std::int64_t tail_bytes(std::int64_t positions) const;

 private:
  struct Store;

  std::shared_ptr<KvBlock> allocate_pages(LayerKind kind, std::int64_t capacity);

  std::shared_ptr<Store> store_;    // outlived by no block
  std::int64_t layers_[2];          // by LayerKind
  std::int64_t position_elements_;  // 2 K d: of one position in one layer
  std::int64_t window_;
  std::int64_t budget_bytes_;
  at::ScalarType dtype_;
  std::shared_ptr<KvArena> arena_;
  std::function<bool()> reclaim_;
};

// Consecutive positions that lie in one block.
struct KvSpan {
  std::shared_ptr<KvBlock> block;
  std::int64_t first_slot = 0;
  std::int64_t count = 0;
  std::int64_t position = 0;  // of first_slot
};

// One sequence's cache in one pass. Copies share blocks; each may go on its own way.
class KvSequence {
 public:
  explicit KvSequence(KvPool* pool) : pool_(pool) {}

  std::int64_t length() const { return length_; }

  // Makes room for `count` further positions. New blocks take at least
  // `block_hint` positions, up to 256.
  void append(std::int64_t count, std::int64_t block_hint);

  // Lets go of sliding layers' blocks that no later position can see.
  void drop_expired();

  // In order of positions. A sliding kind's spans may begin after position 0.
  const std::vector<KvSpan>& spans(LayerKind kind) const {
    return spans_[static_cast<std::size_t>(kind)];
  }

 private:
  KvPool* pool_;
  std::int64_t length_ = 0;
  std::vector<KvSpan> spans_[2];
};

}  // namespace fbt
