#pragma once

// Interleaves the two kinds of work: prefill whenever rows are free and none
// waits for one, decoding steps otherwise. Both stay within the pool's budget: a
// row is admitted only where the memory it may come to take fits, and prefill
// leaves room for the longest tail, so that one row always can be.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "harness/decode/decoder.h"
#include "harness/decode/kv_cache.h"
#include "harness/decode/prefill.h"

namespace fbt {

struct EngineLimits {
  std::int64_t batch_tokens = 2048;  // of a prefill pass
  std::int64_t batch_rows = 64;      // of a decoding step
};

// A row that waits for its turn.
struct WaitingRow {
  std::shared_ptr<const PrefixState> prefix;
  int pass = 0;
  bool fused = false;
  std::int64_t new_positions = 0;  // its tail has at most so many
  std::unique_ptr<RowClient> client;
};

class Scheduler {
 public:
  // All references must outlive the object.
  Scheduler(KvPool& pool, Decoder& decoder, EngineLimits limits)
      : pool_(pool), decoder_(decoder), limits_(limits) {}

  // Rows of up to so many new positions will be added; 0: none.
  void expect_tail(std::int64_t new_positions);

  void add(WaitingRow row) { waiting_.push_back(std::move(row)); }

  // Throws InputError if the pool's budget is too small for a prompt of
  // `positions` in `passes` passes and a row that goes on from it.
  void require_room(std::int64_t positions, std::int64_t passes) const;

  // Gives the next prompts to compute once all earlier ones are; null: no more or,
  // unless it is to wait for them, none yet. They live until it is called again.
  using PrefillSource = std::function<Prefill*(bool wait)>;

  // Works until no prompts and no rows are left, or until `stopped` (asked between
  // steps) says so.
  void run(const PrefillSource& next, const std::function<bool()>& stopped);

 private:
  void admit();
  // Bytes that a prefill step may take now.
  std::int64_t prefill_room(const Prefill& prefill);

  KvPool& pool_;
  Decoder& decoder_;
  EngineLimits limits_;
  std::int64_t tail_bytes_ = 0;  // of the longest row that is expected
  std::deque<WaitingRow> waiting_;
};

}  // namespace fbt
