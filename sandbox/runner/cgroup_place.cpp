#include "sandbox/runner/cgroup_place.h"

#include <algorithm>
#include <optional>

namespace fbt::sandbox::runner {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool lists(std::string_view names, std::string_view name) {
  const std::vector<std::string_view> all = split(names, ',');
  return std::find(all.begin(), all.end(), name) != all.end();
}

struct Hierarchy {
  std::string_view mount_point;
  std::string_view root;  // of the hierarchy, as far as this mount shows it
};

// The mount of the version 2 hierarchy (controller empty) or of a version 1
// controller. mountinfo: id parent dev root point options [fields] - type source super.
std::optional<Hierarchy> find_hierarchy(std::string_view mountinfo, std::string_view controller) {
  for (const std::string_view line : split(mountinfo, '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    const std::vector<std::string_view> mount = split(line.substr(0, dash), ' ');
    const std::vector<std::string_view> system = split(line.substr(dash + 3), ' ');
    if (mount.size() < 5 || system.size() < 3) continue;
    const bool found = controller.empty() ? system[0] == "cgroup2"
                                          : system[0] == "cgroup" && lists(system[2], controller);
    if (found) return Hierarchy{mount[4], mount[3]};
  }
  return std::nullopt;
}

}  // namespace

std::vector<CgroupPlace> cgroup_places(std::string_view mountinfo, std::string_view cgroup) {
  std::vector<CgroupPlace> places;
  for (const std::string_view line : split(cgroup, '\n')) {
    // "id:controllers:path"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    CgroupPlace place;
    place.version = controllers.empty() ? 2 : 1;
    place.memory = lists(controllers, "memory");
    place.pids = lists(controllers, "pids");
    if (place.version == 1 && !place.memory && !place.pids) continue;
    const auto hierarchy = find_hierarchy(mountinfo, controllers.substr(0, controllers.find(',')));
    if (!hierarchy) continue;
    std::string_view path = line.substr(second + 1);
    if (hierarchy->root != "/" && path.starts_with(hierarchy->root)) {
      path.remove_prefix(hierarchy->root.size());
    }
    if (path == "/") path = {};
    place.mount_point = hierarchy->mount_point;
    place.own = place.mount_point + std::string(path);
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace fbt::sandbox::runner
