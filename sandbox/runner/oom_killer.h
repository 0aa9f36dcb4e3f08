#pragma once

// The kernel's out-of-memory killer: what it did, and whom it should choose.

#include <string>

#include "sandbox/descriptor.h"

namespace fbt::sandbox::runner {

class OomKiller {
 public:
  // To be made by the process that will fork programs, while it still sees /proc.
  // `kills_file`: a cgroup's file with a line "oom_kill N"; empty where there is none.
  explicit OomKiller(const std::string& kills_file);

  // How many processes of the cgroup it has killed so far.
  long kills() const;

  // Whether processes that are forked from now on are chosen before this one. A
  // program's share much of this process's memory, and may look smaller.
  void choose_children(bool first) const;

 private:
  Descriptor kills_;
  Descriptor adjustment_;
  std::string own_;
  std::string childrens_;
};

}  // namespace fbt::sandbox::runner
