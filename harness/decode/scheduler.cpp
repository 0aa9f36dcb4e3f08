#include "harness/decode/scheduler.h"

#include <utility>

namespace fbt {

bool Scheduler::has_room_for(std::int64_t bytes) const {
  return pool_.bytes_in_use() + decoder_.reserved_bytes() + bytes <= pool_.budget_bytes();
}

void Scheduler::admit() {
  while (!waiting_.empty() && static_cast<std::int64_t>(decoder_.rows()) < limits_.batch_rows) {
    WaitingRow& row = waiting_.front();
    const std::int64_t bytes = pool_.tail_bytes(row.new_positions);
    if (decoder_.rows() > 0 && !has_room_for(bytes)) return;
    decoder_.add(std::move(row.prefix), row.pass, row.fused, row.new_positions, bytes,
                 std::move(row.client));
    waiting_.pop_front();
  }
}

void Scheduler::run(Prefill& prefill, const std::function<bool()>& stopped) {
  while (!stopped()) {
    admit();
    const bool rows_free = static_cast<std::int64_t>(decoder_.rows()) < limits_.batch_rows;
    const bool may_prefill = !prefill.done() && waiting_.empty() && rows_free;
    if (may_prefill && (decoder_.rows() == 0 || has_room_for(0))) {
      prefill.step(limits_.batch_tokens);
    } else if (decoder_.rows() > 0) {
      decoder_.step();
    } else {
      return;
    }
  }
}

}  // namespace fbt
