#include "harness/decode/scheduler.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt {

void Scheduler::expect_tail(std::int64_t new_positions) {
  if (new_positions > 0) tail_bytes_ = std::max(tail_bytes_, pool_.tail_bytes(new_positions));
}

void Scheduler::require_room(std::int64_t positions, std::int64_t passes) const {
  const std::int64_t bytes = passes * pool_.tail_bytes(positions) + tail_bytes_;
  if (bytes <= pool_.budget_bytes()) return;
  throw InputError(
      fmt::format("--cache-gb {:.3g} is too small: a prompt of {} tokens in {} {} and what is "
                  "generated from it take {:.3g}",
                  static_cast<double>(pool_.budget_bytes()) / 1e9, positions, passes,
                  passes == 1 ? "pass" : "passes", static_cast<double>(bytes) / 1e9));
}

void Scheduler::admit() {
  while (!waiting_.empty() && static_cast<std::int64_t>(decoder_.rows()) < limits_.batch_rows) {
    WaitingRow& row = waiting_.front();
    const std::int64_t bytes = pool_.tail_bytes(row.new_positions);
    const bool fits = pool_.make_room(decoder_.reserved_bytes() + bytes);
    if (!fits && decoder_.rows() > 0) return;
    decoder_.add(std::move(row.prefix), row.pass, row.fused, row.new_positions, bytes,
                 std::move(row.client));
    waiting_.pop_front();
  }
}

std::int64_t Scheduler::prefill_room(const Prefill& prefill) {
  const std::int64_t reserved = decoder_.reserved_bytes() + tail_bytes_;
  pool_.make_room(reserved + prefill.step_bytes(limits_.batch_tokens));
  return std::max<std::int64_t>(0, pool_.budget_bytes() - pool_.bytes_in_use() - reserved);
}

void Scheduler::run(const PrefillSource& next, const std::function<bool()>& stopped) {
  Prefill* prefill = nullptr;
  while (!stopped()) {
    admit();
    const bool rows_free = static_cast<std::int64_t>(decoder_.rows()) < limits_.batch_rows;
    if (waiting_.empty() && rows_free) {
      if (prefill == nullptr || prefill->done()) prefill = next(/*wait=*/decoder_.rows() == 0);
      if (prefill != nullptr) {
        const std::int64_t room = prefill_room(*prefill);
        if (decoder_.rows() == 0 || room >= prefill->step_bytes(1)) {
          prefill->step(limits_.batch_tokens, room);
          continue;
        }
      }
    }
    if (decoder_.rows() == 0) return;
    decoder_.step();
  }
}

}  // namespace fbt
