#include "base/free_memory.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace fbt {
namespace {

std::optional<std::int64_t> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;  // no such file, or "max"
}

std::optional<std::int64_t> machine_memory(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/meminfo");
  std::string key;
  std::int64_t kibibytes = 0;
  for (std::string unit; file >> key >> kibibytes; std::getline(file, unit)) {
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return std::nullopt;
}

// The group's file of its limit and that of its use; pages of files that can go
// at once count as free, as they do in MemAvailable.
struct Hierarchy {
  std::filesystem::path mount;
  const char* limit;
  const char* usage;
  const char* reclaimable;  // key in memory.stat
};

std::int64_t reclaimable_in(const std::filesystem::path& group, const std::string& wanted) {
  std::ifstream file(group / "memory.stat");
  std::string key;
  for (std::int64_t bytes = 0; file >> key >> bytes;) {
    if (key == wanted) return bytes;
  }
  return 0;
}

// What the groups from `path` up to the mount leave.
std::optional<std::int64_t> group_memory(const Hierarchy& hierarchy, std::filesystem::path path) {
  std::optional<std::int64_t> least;
  for (path = path.relative_path();; path = path.parent_path()) {
    const std::filesystem::path group = hierarchy.mount / path;
    const auto limit = number_in(group / hierarchy.limit);
    const auto usage = number_in(group / hierarchy.usage);
    if (limit && usage) {
      const std::int64_t used = *usage - reclaimable_in(group, hierarchy.reclaimable);
      const std::int64_t left = std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, used));
      least = least ? std::min(*least, left) : left;
    }
    if (path.empty()) return least;
  }
}

}  // namespace

std::optional<std::int64_t> free_memory(const std::filesystem::path& root) {
  std::optional<std::int64_t> free = machine_memory(root);
  const auto lower_to = [&](const std::optional<std::int64_t>& other) {
    if (other) free = free ? std::min(*free, *other) : other;
  };
  const Hierarchy second{root / "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
  const Hierarchy first{root / "sys/fs/cgroup/memory", "memory.limit_in_bytes",
                        "memory.usage_in_bytes", "total_inactive_file"};
  // Lines "number:controllers:path"; version 2's names no controllers.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t controllers = line.find(':') + 1;
    const std::size_t path = line.find(':', controllers) + 1;
    if (controllers == 0 || path == 0) continue;
    const std::string names = "," + line.substr(controllers, path - 1 - controllers) + ",";
    if (names == ",,") lower_to(group_memory(second, line.substr(path)));
    if (names.find(",memory,") != std::string::npos) {
      lower_to(group_memory(first, line.substr(path)));
    }
  }
  return free;
}

}  // namespace fbt
