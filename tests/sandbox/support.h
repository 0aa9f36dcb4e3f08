#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sandbox/pool.h"

namespace fbt::sandbox {

// Two workers, of the given tier at best. A program that ends by itself has far more
// time than it needs, however busy the machine is.
Options test_options(Tier tier = Tier::kNamespaces);

// The limits of test_options() for a program that ends only when its time is up.
Limits short_limits();

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

// The cgroups, anywhere, of workers whose supervisors are among these processes;
// other pools that run on the machine have theirs beside them.
std::vector<std::string> cgroups_of(const std::set<pid_t>& processes);

}  // namespace fbt::sandbox
