#include "sandbox/runner/cgroup.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace fbt::sandbox::runner {
namespace {

// A worker's cgroup carries its supervisor's process id.
constexpr std::string_view kPrefix = "fbt-sandbox-";

bool owner_lives(const std::string& name) {
  const auto owner = static_cast<pid_t>(std::atol(name.c_str() + kPrefix.size()));
  // We have none yet: one in our name is of an earlier process with our number.
  if (owner == ::getpid()) return false;
  return owner <= 0 || ::kill(owner, 0) == 0 || errno != ESRCH;
}

}  // namespace

void WorkerCgroups::create(const std::vector<CgroupPlace>& places, std::uint64_t memory_bytes,
                           std::uint32_t processes) {
  for (const CgroupPlace& place : places) {
    if (place.version == 1) {
      create_v1(place, memory_bytes, processes);
    } else {
      create_v2(place, memory_bytes, processes);
    }
  }
}

void WorkerCgroups::create_v1(const CgroupPlace& place, std::uint64_t memory_bytes,
                              std::uint32_t processes) {
  const std::string folder = make_folder_in(place.own);
  if (folder.empty()) return;
  folders_.push_back(folder);
  const std::string bytes = std::to_string(memory_bytes);
  if (place.memory && files_.write(folder + "/memory.limit_in_bytes", bytes)) {
    // With swap, where the kernel accounts for it.
    files_.write(folder + "/memory.memsw.limit_in_bytes", bytes);
    oom_file_ = folder + "/memory.oom_control";
  }
  if (place.pids && files_.write(folder + "/pids.max", std::to_string(processes))) {
    has_pids_ = true;
  }
}

void WorkerCgroups::create_v2(const CgroupPlace& place, std::uint64_t memory_bytes,
                              std::uint32_t processes) {
  hand_down_to(place);
  // Beneath our own cgroup where it may hand controllers down (a cgroup that
  // holds processes may not, but for the machine's root), else beside it.
  std::vector<std::string> parents = {place.own};
  if (place.own != place.mount_point) parents.push_back(place.own.substr(0, place.own.rfind('/')));
  for (const std::string& parent : parents) {
    const std::string folder = make_folder_in(parent);
    if (folder.empty()) continue;
    const bool memory = files_.write(folder + "/memory.max", std::to_string(memory_bytes));
    const bool pids = files_.write(folder + "/pids.max", std::to_string(processes));
    if (!memory && !pids) {
      files_.remove_folder(folder);
      continue;
    }
    folders_.push_back(folder);
    if (memory) {
      files_.write(folder + "/memory.swap.max", "0");
      oom_file_ = folder + "/memory.events";
    }
    has_pids_ = has_pids_ || pids;
    return;
  }
}

// A cgroup has the controllers that every one above it hands down; where an
// administrator or systemd has not seen to that, we try. Both at once: pids alone
// may be handed down by a cgroup that holds processes, but then nobody can enter
// those beneath it.
void WorkerCgroups::hand_down_to(const CgroupPlace& place) {
  for (std::size_t end = place.mount_point.size();; end = place.own.find('/', end + 1)) {
    files_.write(place.own.substr(0, end) + "/cgroup.subtree_control", "+memory +pids");
    if (end >= place.own.size()) return;
  }
}

// Empty where it cannot be made.
std::string WorkerCgroups::make_folder_in(const std::string& parent) {
  remove_ownerless(parent);
  std::string folder = parent + "/" + std::string(kPrefix) + std::to_string(::getpid());
  return files_.make_folder(folder) ? folder : std::string();
}

// The kernel removes none that is in use, whatever we think of its owner.
void WorkerCgroups::remove_ownerless(const std::string& parent) {
  for (const std::string& name : files_.entries(parent)) {
    if (name.starts_with(kPrefix) && !owner_lives(name)) {
      files_.remove_folder(parent + "/" + name);
    }
  }
}

bool WorkerCgroups::enter(pid_t pid) const {
  for (const std::string& folder : folders_) {
    if (!files_.write(folder + "/cgroup.procs", std::to_string(pid))) return false;
  }
  return true;
}

void WorkerCgroups::remove() {
  for (const std::string& folder : folders_) {
    // The kernel lets go of a cgroup a moment after its last process.
    for (int attempt = 0; !files_.remove_folder(folder) && errno == EBUSY && attempt < 1000;
         ++attempt) {
      ::usleep(1000);
    }
  }
  folders_.clear();
  oom_file_.clear();
  has_pids_ = false;
}

}  // namespace fbt::sandbox::runner
