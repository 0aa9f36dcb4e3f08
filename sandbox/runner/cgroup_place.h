#pragma once

// Where this process stands in the machine's cgroup hierarchies.

#include <string>
#include <string_view>
#include <vector>

namespace fbt::sandbox::runner {

struct CgroupPlace {
  int version = 2;
  // Version 1: the controllers that the hierarchy has. Version 2 says so in files.
  bool memory = false;
  bool pids = false;
  std::string mount_point;  // the hierarchy's topmost folder that we see
  std::string own;          // the folder of our own cgroup, at or beneath mount_point
};

// From the texts of /proc/self/mountinfo and /proc/self/cgroup: every hierarchy
// that is mounted and can limit memory or processes. Lines that make no sense
// are passed over.
std::vector<CgroupPlace> cgroup_places(std::string_view mountinfo, std::string_view cgroup);

}  // namespace fbt::sandbox::runner
