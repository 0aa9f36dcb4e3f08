#pragma once

// SIGINT and SIGTERM as a flag: the run stops at the next result, writes what is
// there and exits with status 3.

namespace fbt::run {

// While one lives, the first signal sets the flag and the second ends the
// process as if there were no handler. At most one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

// Whether a signal came since the guard was made. Any thread.
bool interrupted();

}  // namespace fbt::run
