#pragma once

// Interleaves the two kinds of work: prefill whenever rows are free and none
// waits for one, decoding steps otherwise. Rows are admitted only while the
// cache memory they may come to take fits the pool's budget; one row always is.

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

  void add(WaitingRow row) { waiting_.push_back(std::move(row)); }

  // Works until the prefill is done and no row is left, or until `stopped`
  // (asked between steps) says so.
  void run(Prefill& prefill, const std::function<bool()>& stopped);

 private:
  void admit();
  bool has_room_for(std::int64_t bytes) const;

  KvPool& pool_;
  Decoder& decoder_;
  EngineLimits limits_;
  std::deque<WaitingRow> waiting_;
};

}  // namespace fbt
