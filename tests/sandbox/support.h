#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sandbox/pool.h"

namespace fbt::sandbox {

// Two workers, one second a program, of the given tier at best.
Options test_options(Tier tier = Tier::kNamespaces);

// One pool a tier for all tests of the program, with both workers running: that
// it is still of use after a hostile program is a part of what they check. Null
// where the machine has no such tier.
Pool* shared_pool(Tier tier);

// The processes that descend from one (by default this one), now.
std::set<pid_t> descendants(pid_t of = 0);

// A worker is two processes: its supervisor, a child of the pool's process, and
// the server, the supervisor's child.
inline constexpr std::size_t kProcessesPerWorker = 2;

// Calls `done` every few milliseconds until it holds or some seconds have passed.
bool eventually(const std::function<bool()>& done);

// Open descriptors of a process; mounts it sees; its resident memory.
std::size_t open_descriptors(pid_t process);
std::size_t mounts(pid_t process);
std::size_t resident_bytes(pid_t process);

// Cgroups anywhere that a worker has made.
std::vector<std::string> worker_cgroups();

}  // namespace fbt::sandbox
