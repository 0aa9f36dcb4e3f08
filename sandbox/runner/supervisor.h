#pragma once

// A worker's outermost process: builds the jail, puts the server into it, and
// cleans up when the server or the pool has gone.

#include <string>
#include <vector>

namespace fbt::sandbox::runner {

// Never returns. `paths`: what Python needs to read.
[[noreturn]] void supervise(const std::vector<std::string>& paths);

}  // namespace fbt::sandbox::runner
