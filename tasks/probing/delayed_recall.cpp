#include "tasks/probing/delayed_recall.h"

#include <array>

#include <fmt/format.h>

#include "tasks/probing/options.h"
#include "tasks/probing/unrelated_text.h"

namespace fbt::tasks::probing {
namespace {

constexpr std::array<std::string_view, 8> kPlaces = {"hall",  "cellar", "attic",  "porch",
                                                     "lobby", "stable", "studio", "garage"};

}  // namespace

ProbeDataset delayed_recall(const ProbeOptions& options) {
  ProbeDataset data;
  data.name = "recall";
  data.groups = group_count(options.groups, kRecallGroups, data.name);
  check_idle_updates(options.idle_updates, data.name);
  int pairs = 0;
  for (int group = 0; group < data.groups; ++group) {
    synthetic::Draw draw = group_draw(options.seed, data.name, group);
    const std::string_view place = draw.pick<std::string_view>(kPlaces);
    for (const int idle : options.idle_updates) {
      std::string delay;
      for (int i = 0; i < idle; ++i) delay += unrelated_sentence(draw);
      for (const int bit : {0, 1}) {
        std::string text = fmt::format("The light in the {} is {}.{} The light is:", place,
                                       bit == 0 ? "off" : "on", delay);
        data.samples.push_back({std::move(text), bit, group, pairs, idle});
      }
      ++pairs;
    }
  }
  return data;
}

}  // namespace fbt::tasks::probing
