#include "results/report/collect/report_data.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace fbt::results {
namespace {

bool any_run(std::span<const Store> stores) {
  return std::any_of(stores.begin(), stores.end(),
                     [](const Store& store) { return !store.runs().empty(); });
}

std::vector<Session> sessions_of(std::span<const Store> stores, const RunRecord& run) {
  std::vector<Session> sessions;
  for (const Store& store : stores) {
    const auto id = store.find_run(run.checkpoint.content_hash, plan_hash(run.plan));
    if (!id) continue;
    const std::vector<Session> more = store.sessions(*id);
    sessions.insert(sessions.end(), more.begin(), more.end());
  }
  return sessions;
}

// A baseline where none was asked for.
CompareOptions with_baseline(CompareOptions options, std::span<const RunData> runs) {
  if (!options.baseline.empty()) return options;
  // Rows come out sorted: the comparison without a baseline knows the first.
  const Comparison plain = compare_runs(runs, options);
  options.baseline = plain.rows.front().checkpoint.content_hash;
  const bool has_standard =
      std::any_of(plain.columns.begin(), plain.columns.end(),
                  [](const ComparisonColumn& column) { return column.mode == "standard"; });
  if (plain.rows.size() == 1 && has_standard) options.baseline_mode = "standard";
  return options;
}

void compare_all(std::span<const Store> stores, const ReportOptions& options, ReportData& data) {
  data.runs = select_runs(stores, options.selection);
  for (const RunData& run : data.runs) data.sessions.push_back(sessions_of(stores, run.run));
  data.summary = summarize(data.runs);
  data.comparison = compare_runs(data.runs, with_baseline(options.compare, data.runs));
  const CompareOptions& compare = options.compare;
  data.efficiencies =
      data_efficiencies(data.runs, compare.temperature, compare.metric, compare.level);
  data.lengths = compare_lengths(data.runs, compare.temperature, compare.level);
  if (options.references) data.references = published_references();
  data.samples = collect_samples(stores, data.runs, options.samples);
}

bool wanted(const Checkpoint& checkpoint, const std::vector<std::string>& names) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return checkpoint.name == name || checkpoint.content_hash.starts_with(name);
         });
}

template <typename Item>
void append_wanted(std::vector<Item> items, const std::vector<std::string>& names,
                   std::vector<Item>& all) {
  for (Item& item : items) {
    if (wanted(item.checkpoint, names)) all.push_back(std::move(item));
  }
}

}  // namespace

ReportData collect_report(std::span<const std::filesystem::path> databases,
                          const ReportOptions& options) {
  ReportData data;
  std::vector<Store> stores;
  const std::vector<std::string>& names = options.selection.checkpoints;
  for (const std::filesystem::path& path : databases) {
    data.files.push_back(path.filename().string());
    stores.emplace_back(path, OpenMode::kRead);
    const ExperimentStore experiments(path, OpenMode::kRead);
    append_wanted(read_stability(experiments), names, data.stability);
    append_wanted(read_probes(experiments), names, data.probes);
  }
  if (any_run(stores)) {
    compare_all(stores, options, data);
  } else if (data.stability.empty() && data.probes.empty()) {
    throw InputError(fmt::format("there is nothing to report in {}: run an evaluation first",
                                 fmt::join(data.files, ", ")));
  }
  return data;
}

}  // namespace fbt::results
