#include "tasks/probing/options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"

namespace fbt::tasks::probing {

int group_count(int asked, int published, std::string_view task) {
  if (asked < 0) {
    throw InputError(
        fmt::format("probe task '{}': {} groups; give 1 or more, or 0 for the published {}", task,
                    asked, published));
  }
  return asked == 0 ? published : asked;
}

void check_idle_updates(const std::vector<int>& idle_updates, std::string_view task) {
  if (idle_updates.empty()) {
    throw InputError(
        fmt::format("probe task '{}': no number of idle updates; give at least one", task));
  }
  for (const int idle : idle_updates) {
    if (idle < 0) {
      throw InputError(fmt::format("probe task '{}': {} idle updates; give 0 or more", task, idle));
    }
  }
}

synthetic::Draw group_draw(std::uint64_t seed, std::string_view task, int group) {
  return synthetic::Draw(stable_hash(fmt::format("{}/{}", task, group), seed));
}

}  // namespace fbt::tasks::probing
