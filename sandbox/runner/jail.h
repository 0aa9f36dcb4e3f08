#pragma once

// The walls around a program. The server (trusted code) stands inside the
// namespaces with capabilities over them; each program's own process gives up
// everything in confine().

#include <cstdint>
#include <string>
#include <vector>

#include <linux/filter.h>
#include <sys/types.h>

#include "sandbox/runner/report.h"
#include "sandbox/wire.h"

namespace fbt::sandbox::runner {

inline constexpr uid_t kNobody = 65534;

// What the walls are made of; filled while they are built, read by every program.
struct Jail {
  int tier = 0;
  bool change_identity = false;             // programs become kNobody
  int landlock_ruleset = -1;                // tier 2
  std::vector<sock_filter> filter;          // from the pool, for this tier
  std::uint64_t mounted_scratch_bytes = 0;  // size of the tmpfs on /tmp (tier 1)
};

// Tier 1, called in a process alone in fresh mount, PID, network, IPC and UTS
// namespaces: a read-only root of `paths` and a few devices, a tmpfs on /tmp,
// no /proc. Returns why it failed, or nothing.
std::string build_root(const std::vector<std::string>& paths, std::uint64_t scratch_bytes);

// Tier 1: an empty /tmp of that size. Does nothing if it is so already.
// Returns why it failed, or nothing.
std::string renew_scratch(Jail& jail, std::uint64_t scratch_bytes);

// Tier 2: a ruleset that lets a process read `paths` and nothing else, as a
// descriptor. Returns -1, with the reason in `failure`, where the kernel has none.
int make_landlock_ruleset(const std::vector<std::string>& paths, std::string& failure);

// Called in the process that will run a program, after it has redirected its
// descriptors: limits, identity, capabilities, Landlock, system call filter.
// System calls that the filter traps are noted in `report` and end the process.
// Returns why it failed, or nothing; a process it failed in must run nothing.
std::string confine(const Jail& jail, const wire::Request& limits, ProgramReport& report);

}  // namespace fbt::sandbox::runner
