#include "tasks/probing/completion_tracking.h"

#include <fmt/format.h>

#include "tasks/probing/options.h"

namespace fbt::tasks::probing {
namespace {

enum class Update { kRequired, kCompleted, kIdle };

constexpr const char* kHead = "Log of required and completed items.\n";
constexpr const char* kTail = "all done:";

std::string_view line(Update update) {
  switch (update) {
    case Update::kRequired:
      return "required +1\n";
    case Update::kCompleted:
      return "completed +1\n";
    case Update::kIdle:
      break;
  }
  return "idle +0\n";
}

// `count` items required and completed in a random order in which nothing is
// completed before it is required.
std::vector<Update> balanced_history(int count, synthetic::Draw& draw) {
  std::vector<Update> history;
  int required = 0;
  int completed = 0;
  while (completed < count) {
    const bool require = required < count && (required == completed || draw.chance(0.5));
    history.push_back(require ? Update::kRequired : Update::kCompleted);
    ++(require ? required : completed);
  }
  return history;
}

// The place of a random update of this kind.
std::size_t random_place(const std::vector<Update>& history, Update kind, synthetic::Draw& draw) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i] == kind) places.push_back(i);
  }
  return draw.pick<std::size_t>(places);
}

struct Pair {
  std::vector<Update> equal;
  std::vector<Update> unequal;
};

// One completion is missing: the unequal log has an idle update in its place.
Pair missing_completion(const std::vector<Update>& balanced, synthetic::Draw& draw) {
  Pair pair{balanced, balanced};
  pair.unequal[random_place(balanced, Update::kCompleted, draw)] = Update::kIdle;
  return pair;
}

// One item too many is required: the equal log has an idle update in its place,
// so that idle updates among the others say nothing about the label.
Pair extra_requirement(const std::vector<Update>& balanced, synthetic::Draw& draw) {
  Pair pair{balanced, balanced};
  const auto place =
      static_cast<std::ptrdiff_t>(draw.between(0, static_cast<int>(balanced.size())));
  pair.equal.insert(pair.equal.begin() + place, Update::kIdle);
  pair.unequal.insert(pair.unequal.begin() + place, Update::kRequired);
  return pair;
}

std::string text(const std::vector<Update>& history, int idle) {
  std::string text = kHead;
  for (const Update update : history) text += line(update);
  for (int i = 0; i < idle; ++i) text += line(Update::kIdle);
  return text + kTail;
}

}  // namespace

ProbeDataset completion_tracking(const ProbeOptions& options) {
  ProbeDataset data;
  data.name = "completion";
  data.groups = group_count(options.groups, kCompletionGroups, data.name);
  check_idle_updates(options.idle_updates, data.name);
  int pairs = 0;
  for (int group = 0; group < data.groups; ++group) {
    synthetic::Draw draw = group_draw(options.seed, data.name, group);
    const std::vector<Update> balanced = balanced_history(draw.between(2, 6), draw);
    for (const Pair& pair :
         {missing_completion(balanced, draw), extra_requirement(balanced, draw)}) {
      for (const int idle : options.idle_updates) {
        data.samples.push_back({text(pair.unequal, idle), 0, group, pairs, idle});
        data.samples.push_back({text(pair.equal, idle), 1, group, pairs, idle});
        ++pairs;
      }
    }
  }
  return data;
}

}  // namespace fbt::tasks::probing
