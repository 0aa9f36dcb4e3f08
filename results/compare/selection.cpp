#include "results/compare/selection.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace fbt::results {
namespace {

bool names_checkpoint(const Checkpoint& checkpoint, const std::string& name) {
  constexpr std::size_t kShortestHash = 6;
  return checkpoint.name == name ||
         (name.size() >= kShortestHash && checkpoint.content_hash.starts_with(name));
}

template <typename Names>
bool in(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool fits(const RunRecord& run, const SelectionOptions& options) {
  const Plan& plan = run.plan;
  const bool checkpoint =
      options.checkpoints.empty() ||
      std::any_of(options.checkpoints.begin(), options.checkpoints.end(),
                  [&](const std::string& name) { return names_checkpoint(run.checkpoint, name); });
  const bool task = options.tasks.empty() || in(options.tasks, plan.task) ||
                    std::any_of(plan.groups.begin(), plan.groups.end(),
                                [&](const auto& group) { return in(options.tasks, group.name); });
  const bool mode = options.modes.empty() || in(options.modes, mode_label(plan));
  return checkpoint && task && mode &&
         std::all_of(options.settings.begin(), options.settings.end(), [&](const auto& setting) {
           return plan_setting(plan, setting.first) == setting.second;
         });
}

// Names in `asked` that nothing in `known` bears.
void require_known(const char* kind, const std::vector<std::string>& asked,
                   const std::set<std::string>& known) {
  for (const std::string& name : asked) {
    if (!known.contains(name)) {
      throw InputError(unknown_name_message(kind, name, {known.begin(), known.end()}));
    }
  }
}

void require_known_names(const std::vector<RunRecord>& runs, const SelectionOptions& options) {
  std::set<std::string> checkpoints;
  std::set<std::string> tasks;
  std::set<std::string> modes;
  for (const RunRecord& run : runs) {
    checkpoints.insert(run.checkpoint.name);
    tasks.insert(run.plan.task);
    for (const TaskGroup& group : run.plan.groups) tasks.insert(group.name);
    modes.insert(mode_label(run.plan));
    for (const std::string& name : options.checkpoints) {
      if (names_checkpoint(run.checkpoint, name)) checkpoints.insert(name);
    }
  }
  require_known("checkpoint", options.checkpoints, checkpoints);
  require_known("task", options.tasks, tasks);
  require_known("mode", options.modes, modes);
}

std::string described(const RunRecord& run) {
  return fmt::format("{} {} of {}", run.plan.task, mode_label(run.plan), run.checkpoint.name);
}

void refuse_second(const RunRecord& first, const RunRecord& second) {
  if (first.checkpoint.content_hash != second.checkpoint.content_hash ||
      first.plan.task != second.plan.task || mode_label(first.plan) != mode_label(second.plan)) {
    return;
  }
  const auto differences = plan_differences(first.plan, second.plan, false);
  if (differences.empty()) {
    throw InputError(
        fmt::format("{} is in two of the files: join them with fbt-eval merge", described(first)));
  }
  const std::string key = differences.front().substr(0, differences.front().find(' '));
  throw InputError(fmt::format(
      "there are two runs of {}, which differ in {}: choose one, as with "
      "--only {}={}",
      described(first), fmt::join(differences, ", "), key, plan_setting(first.plan, key)));
}

}  // namespace

std::map<std::string, std::string> parse_settings(const std::string& text) {
  std::map<std::string, std::string> settings;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError(fmt::format("setting '{}' is not KEY=VALUE, as shots=0", part));
    }
    const std::string key = part.substr(0, equals);
    require_plan_setting(key);
    settings[key] = part.substr(equals + 1);
    begin = end + 1;
  }
  return settings;
}

std::vector<ChosenRun> choose_runs(std::span<const Store> stores, const SelectionOptions& options) {
  std::vector<RunRecord> all;
  std::vector<ChosenRun> chosen;
  for (const Store& store : stores) {
    for (RunRecord& run : store.runs()) {
      if (fits(run, options)) chosen.push_back({&store, run});
      all.push_back(std::move(run));
    }
  }
  require_known_names(all, options);
  if (chosen.empty()) {
    throw InputError("no run fits what was asked for; `fbt-eval compare --db FILE` shows all");
  }
  return chosen;
}

void refuse_twins(std::span<const ChosenRun> runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) refuse_second(runs[j].run, runs[i].run);
  }
}

std::vector<RunData> select_runs(std::span<const Store> stores, const SelectionOptions& options) {
  const std::vector<ChosenRun> chosen = choose_runs(stores, options);
  refuse_twins(chosen);
  std::vector<RunData> runs;
  for (const ChosenRun& each : chosen) runs.push_back(load_run(*each.store, each.run));
  return runs;
}

void require_comparable(std::span<const RunData> runs) {
  for (const RunData& data : runs) {
    const auto first = std::find_if(runs.begin(), runs.end(), [&](const RunData& other) {
      return other.run.plan.task == data.run.plan.task;
    });
    const auto differences = plan_differences(first->run.plan, data.run.plan, true);
    if (differences.empty()) continue;
    throw InputError(fmt::format("{} and {} cannot be put side by side: they differ in {}",
                                 described(first->run), described(data.run),
                                 fmt::join(differences, ", ")));
  }
}

void require_one_checkpoint(std::span<const RunData> runs, const std::string& name) {
  std::map<std::string, std::string> names;  // by hash
  for (const RunData& data : runs) {
    const Checkpoint& checkpoint = data.run.checkpoint;
    names[checkpoint.content_hash] =
        fmt::format("{} ({})", checkpoint.name, checkpoint.content_hash.substr(0, 12));
  }
  if (names.size() < 2) return;
  std::vector<std::string> texts;
  for (const auto& [hash, text] : names) texts.push_back(text);
  throw InputError(fmt::format("{} stands for several checkpoints: name one, or its hash ({})",
                               name, fmt::join(texts, ", ")));
}

std::string find_checkpoint(std::span<const RunData> runs, const std::string& name) {
  std::set<std::string> hashes;
  std::set<std::string> known;
  for (const RunData& data : runs) {
    known.insert(data.run.checkpoint.name);
    if (names_checkpoint(data.run.checkpoint, name)) {
      hashes.insert(data.run.checkpoint.content_hash);
    }
  }
  if (hashes.empty()) {
    throw InputError(unknown_name_message("checkpoint", name, {known.begin(), known.end()}));
  }
  if (hashes.size() > 1) {
    std::vector<std::string> starts;
    for (const std::string& hash : hashes) starts.push_back(hash.substr(0, 12));
    throw InputError(fmt::format("several checkpoints are called {}: name one by its hash ({})",
                                 name, fmt::join(starts, ", ")));
  }
  return *hashes.begin();
}

}  // namespace fbt::results
