#pragma once

// The loop of a worker: one request, one program, one reply.

#include "sandbox/runner/jail.h"
#include "sandbox/runner/oom_killer.h"

namespace fbt::sandbox::runner {

// Serves the control socket until the pool goes away. Never returns.
[[noreturn]] void serve_requests(Jail& jail, const OomKiller& oom_killer);

}  // namespace fbt::sandbox::runner
