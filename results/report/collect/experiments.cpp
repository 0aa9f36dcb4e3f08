#include "results/report/collect/experiments.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"

namespace fbt::results {
namespace {

using nlohmann::json;

// `use(object)`, with the experiment and item named where keys or types are wrong.
template <typename Use>
void read_item(const ExperimentRecord& experiment, const std::string& item, const std::string& text,
               const Use& use) {
  const std::string where =
      fmt::format("{} of {}, item '{}'", experiment.kind, experiment.checkpoint.name, item);
  try {
    use(parse_json(text, where));
  } catch (const json::exception& error) {
    throw InputError(fmt::format("{}: not what the command stores ({}); repeat it with --fresh",
                                 where, error.what()));
  }
}

// Adds `values` times `weight`, growing `sums` as needed; null (not finite) counts as such.
void add_weighted(std::vector<double>& sums, const json& values, double weight) {
  sums.resize(std::max(sums.size(), values.size()));
  for (std::size_t n = 0; n < values.size(); ++n) {
    sums[n] += weight * (values[n].is_null() ? std::nan("") : values[n].get<double>());
  }
}

StabilityCurve stability_curve(const ExperimentRecord& experiment,
                               const std::map<std::string, std::string>& items) {
  StabilityCurve curve;
  curve.checkpoint = experiment.checkpoint;
  read_item(experiment, "settings", experiment.settings,
            [&](const json& settings) { curve.source = settings.at("source").get<std::string>(); });
  curve.windows = experiment.items_done;
  curve.windows_planned = experiment.items_planned;
  double predicted = 0;
  double positions = 0;
  for (const auto& [item, text] : items) {
    read_item(experiment, item, text, [&](const json& window) {
      const auto tokens = window.at("tokens").get<double>();
      add_weighted(curve.loss, window.at("loss"), tokens - 1);
      add_weighted(curve.change, window.at("change"), tokens);
      curve.longest_window = std::max(curve.longest_window, static_cast<int>(tokens));
      predicted += tokens - 1;
      positions += tokens;
    });
  }
  for (double& loss : curve.loss) loss /= predicted;
  for (double& change : curve.change) change /= positions;
  return curve;
}

// Standard, then one fused step, two …, then suffixes.
bool condition_before(const ProbeColumn& a, const ProbeColumn& b) {
  const auto key = [](const ProbeColumn& column) {
    return std::tuple(column.condition != "standard", column.condition.size(), column.condition);
  };
  return key(a) < key(b);
}

void add_unit(const json& unit, ProbeMap& map) {
  map.samples = unit.at("samples").get<int>();
  map.groups = unit.at("groups").get<int>();
  map.chance = unit.at("chance").get<double>();
  ProbeColumn& column = map.columns.emplace_back();
  column.condition = unit.at("condition").get<std::string>();
  for (const json& layer : unit.at("layers")) {
    column.accuracy.push_back(layer.at("accuracy").get<double>());
    const json& interval = layer.at("interval");
    column.intervals.push_back({interval.at(0).get<double>(), interval.at(1).get<double>()});
    column.shuffled.push_back(layer.at("shuffled").get<double>());
  }
}

}  // namespace

std::vector<StabilityCurve> read_stability(const ExperimentStore& store) {
  std::vector<StabilityCurve> curves;
  for (const ExperimentRecord& experiment : store.experiments()) {
    if (experiment.kind != "stability" || experiment.items_done == 0) continue;
    curves.push_back(stability_curve(experiment, store.items(experiment.id)));
  }
  return curves;
}

std::vector<ProbeMap> read_probes(const ExperimentStore& store) {
  std::vector<ProbeMap> maps;
  for (const ExperimentRecord& experiment : store.experiments()) {
    if (experiment.kind != "probe") continue;
    std::map<std::string, ProbeMap> by_task;
    for (const auto& [item, text] : store.items(experiment.id)) {
      read_item(experiment, item, text, [&](const json& unit) {
        const auto task = unit.at("task").get<std::string>();
        add_unit(unit, by_task[task]);
      });
    }
    for (auto& [task, map] : by_task) {
      map.checkpoint = experiment.checkpoint;
      map.task = task;
      std::sort(map.columns.begin(), map.columns.end(), condition_before);
      maps.push_back(std::move(map));
    }
  }
  return maps;
}

}  // namespace fbt::results
