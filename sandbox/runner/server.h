#pragma once

// The loop of a worker: one request, one program, one reply.

#include <string>

#include "sandbox/runner/jail.h"

namespace fbt::sandbox::runner {

// Serves the control socket until the pool goes away. `oom_fd` is the memory
// cgroup's event file, or -1. Never returns.
[[noreturn]] void serve_requests(Jail& jail, int oom_fd);

}  // namespace fbt::sandbox::runner
