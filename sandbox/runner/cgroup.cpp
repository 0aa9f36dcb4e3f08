#include "sandbox/runner/cgroup.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/runner/io.h"

namespace fbt::sandbox::runner {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool lists(const std::string& names, const std::string& name) {
  for (const std::string& each : split(names, ',')) {
    if (each == name) return true;
  }
  return false;
}

struct Hierarchy {
  std::string mount_point;
  std::string root;  // of the hierarchy, as far as this mount shows it
};

// The mount of the version 2 hierarchy (controller empty) or of a version 1
// controller. mountinfo: id parent dev root point options [fields] - type source super.
std::optional<Hierarchy> find_hierarchy(const std::string& controller) {
  for (const std::string& line : split(read_small_file("/proc/self/mountinfo"), '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> mount = split(line.substr(0, dash), ' ');
    const std::vector<std::string> system = split(line.substr(dash + 3), ' ');
    if (mount.size() < 5 || system.size() < 3) continue;
    const bool found = controller.empty() ? system[0] == "cgroup2"
                                          : system[0] == "cgroup" && lists(system[2], controller);
    if (found) return Hierarchy{mount[4], mount[3]};
  }
  return std::nullopt;
}

// The folder of our own cgroup in a hierarchy, from a line "id:controllers:path".
std::optional<std::string> own_folder(const std::string& controllers, std::string path) {
  const auto hierarchy = find_hierarchy(controllers.substr(0, controllers.find(',')));
  if (!hierarchy) return std::nullopt;
  if (hierarchy->root != "/" && path.starts_with(hierarchy->root)) {
    path.erase(0, hierarchy->root.size());
  }
  if (path == "/") path.clear();
  return hierarchy->mount_point + path;
}

std::string worker_name() {
  return "/fbt-sandbox-" + std::to_string(::getpid());
}

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

}  // namespace

void WorkerCgroups::create(std::uint64_t memory_bytes, std::uint32_t processes) {
  for (const std::string& line : split(read_small_file("/proc/self/cgroup"), '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const auto folder = own_folder(controllers, line.substr(second + 1));
    if (!folder) continue;
    if (controllers.empty()) {
      create_v2(*folder, memory_bytes, processes);
    } else if (lists(controllers, "memory") || lists(controllers, "pids")) {
      create_v1(controllers, *folder + worker_name(), memory_bytes, processes);
    }
  }
}

void WorkerCgroups::create_v1(const std::string& controllers, const std::string& folder,
                              std::uint64_t memory_bytes, std::uint32_t processes) {
  if (::mkdir(folder.c_str(), 0755) != 0) return;
  folders_.push_back(folder);
  const std::string bytes = std::to_string(memory_bytes);
  if (lists(controllers, "memory") && write_small_file(folder + "/memory.limit_in_bytes", bytes)) {
    // With swap, where the kernel accounts for it.
    write_small_file(folder + "/memory.memsw.limit_in_bytes", bytes);
    oom_file_ = folder + "/memory.oom_control";
  }
  if (lists(controllers, "pids") &&
      write_small_file(folder + "/pids.max", std::to_string(processes))) {
    has_pids_ = true;
  }
}

void WorkerCgroups::create_v2(const std::string& own, std::uint64_t memory_bytes,
                              std::uint32_t processes) {
  // Beneath our own cgroup where it may hand controllers down (a cgroup that
  // holds processes may not, but for the root), else beside it.
  const std::vector<std::string> parents = {own, own.substr(0, own.rfind('/'))};
  for (const std::string& parent : parents) {
    const std::string folder = parent + worker_name();
    write_small_file(parent + "/cgroup.subtree_control", "+memory +pids");
    if (::mkdir(folder.c_str(), 0755) != 0) continue;
    const bool memory = write_small_file(folder + "/memory.max", std::to_string(memory_bytes));
    const bool pids = write_small_file(folder + "/pids.max", std::to_string(processes));
    if (!memory && !pids) {
      ::rmdir(folder.c_str());
      continue;
    }
    folders_.push_back(folder);
    if (memory) {
      write_small_file(folder + "/memory.swap.max", "0");
      oom_file_ = folder + "/memory.events";
    }
    has_pids_ = has_pids_ || pids;
    return;
  }
}

bool WorkerCgroups::enter(pid_t pid) const {
  for (const std::string& folder : folders_) {
    if (!exists(folder) || !write_small_file(folder + "/cgroup.procs", std::to_string(pid))) {
      return false;
    }
  }
  return true;
}

void WorkerCgroups::remove() {
  for (const std::string& folder : folders_) {
    // The kernel lets go of a cgroup a moment after its last process.
    for (int attempt = 0; ::rmdir(folder.c_str()) != 0 && errno == EBUSY && attempt < 1000;
         ++attempt) {
      ::usleep(1000);
    }
  }
  folders_.clear();
  oom_file_.clear();
  has_pids_ = false;
}

}  // namespace fbt::sandbox::runner
