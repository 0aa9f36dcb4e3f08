#pragma once

// Memory and process-count limits over all that a worker runs, where the
// machine lets us make cgroups (version 1 or 2).

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sandbox/runner/cgroup_files.h"
#include "sandbox/runner/cgroup_place.h"

namespace fbt::sandbox::runner {

class WorkerCgroups {
 public:
  // `files` must outlive this object.
  explicit WorkerCgroups(CgroupFiles& files) : files_(files) {}

  // Makes what can be made, beneath or beside our own cgroups; limits that cannot
  // be had are simply not there. Removes what owners that were killed have left.
  void create(const std::vector<CgroupPlace>& places, std::uint64_t memory_bytes,
              std::uint32_t processes);
  // Moves a process into them; its children follow.
  bool enter(pid_t pid) const;
  // Once no process is left inside.
  void remove();

  bool has_memory() const { return !oom_file_.empty(); }
  bool has_pids() const { return has_pids_; }
  // The file whose line "oom_kill N" counts kills; empty without a memory limit.
  const std::string& oom_file() const { return oom_file_; }

 private:
  void create_v1(const CgroupPlace& place, std::uint64_t memory_bytes, std::uint32_t processes);
  void create_v2(const CgroupPlace& place, std::uint64_t memory_bytes, std::uint32_t processes);
  void hand_down_to(const CgroupPlace& place);
  std::string make_folder_in(const std::string& parent);
  void remove_ownerless(const std::string& parent);

  CgroupFiles& files_;
  std::vector<std::string> folders_;
  std::string oom_file_;
  bool has_pids_ = false;
};

}  // namespace fbt::sandbox::runner
