// The probing experiment's tables and heat maps.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "harness/mechanism/heat_map.h"
#include "harness/mechanism/probe.h"

namespace fbt::mechanism {
namespace {

const ProbeUnit* find_unit(const ProbeResult& result, const std::string& task,
                           const std::string& condition) {
  for (const ProbeUnit& unit : result.units) {
    if (unit.task == task && unit.condition == condition) return &unit;
  }
  return nullptr;
}

// A task's units by condition, null where one is not done; empty without any.
std::vector<const ProbeUnit*> units_of(const ProbeResult& result, const std::string& task) {
  std::vector<const ProbeUnit*> units;
  for (const std::string& condition : result.conditions) {
    units.push_back(find_unit(result, task, condition));
  }
  if (std::all_of(units.begin(), units.end(), [](auto* unit) { return unit == nullptr; })) {
    units.clear();
  }
  return units;
}

const ProbeUnit& any_of(const std::vector<const ProbeUnit*>& units) {
  return **std::find_if(units.begin(), units.end(), [](auto* unit) { return unit != nullptr; });
}

std::string layer_name(std::size_t layer) {
  return layer == 0 ? "0 (input)" : std::to_string(layer);
}

HeatMap heat_map_of(const ProbeResult& result, const std::string& task,
                    const std::vector<const ProbeUnit*>& units) {
  const ProbeUnit& any = any_of(units);
  HeatMap map;
  map.title = task;
  map.columns = result.conditions;
  map.low = any.chance;
  map.high = 1;
  for (std::size_t layer = 0; layer < any.layers.size(); ++layer) {
    map.rows.push_back(layer_name(layer));
    for (const ProbeUnit* unit : units) {
      map.values.push_back(unit == nullptr ? std::nan("") : unit->layers[layer].accuracy);
    }
  }
  return map;
}

std::vector<HeatMap> heat_maps(const ProbeResult& result) {
  std::vector<HeatMap> maps;
  for (const std::string& task : result.tasks) {
    const auto units = units_of(result, task);
    if (!units.empty()) maps.push_back(heat_map_of(result, task, units));
  }
  return maps;
}

}  // namespace

std::vector<results::Table> probe_tables(const ProbeResult& result) {
  std::vector<results::Table> tables;
  for (const std::string& task : result.tasks) {
    const auto units = units_of(result, task);
    if (units.empty()) continue;
    const ProbeUnit& any = any_of(units);
    results::Table& table = tables.emplace_back();
    table.title =
        fmt::format("{}: {}, accuracy in % [95 %] at the final colon", result.checkpoint, task);
    table.columns.push_back({"layer", true});
    for (const std::string& condition : result.conditions)
      table.columns.push_back({condition, true});
    double shuffled_low = 1;
    double shuffled_high = 0;
    for (std::size_t layer = 0; layer < any.layers.size(); ++layer) {
      std::vector<std::string>& row = table.rows.emplace_back();
      row.push_back(layer_name(layer));
      for (const ProbeUnit* unit : units) {
        if (unit == nullptr) {
          row.emplace_back("-");
          continue;
        }
        const ProbeScore& score = unit->layers[layer];
        row.push_back(fmt::format("{:.1f} [{:.1f}, {:.1f}]", 100 * score.accuracy,
                                  100 * score.interval.low, 100 * score.interval.high));
        shuffled_low = std::min(shuffled_low, score.shuffled);
        shuffled_high = std::max(shuffled_high, score.shuffled);
      }
    }
    table.notes.push_back(fmt::format(
        "{} samples in {} groups, chance {:.1f} %; with labels shuffled within groups {:.1f} to "
        "{:.1f} %",
        any.samples, any.groups, 100 * any.chance, 100 * shuffled_low, 100 * shuffled_high));
    if (any.padded_tokens > 0) {
      table.notes.push_back(fmt::format("padded to {} tokens", any.padded_tokens));
    }
  }
  if (!tables.empty()) {
    auto& notes = tables.back().notes;
    notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  }
  return tables;
}

std::string probe_heat_map_text(const ProbeResult& result) {
  std::string text;
  for (const HeatMap& map : heat_maps(result)) text += heat_map_text(map) + "\n";
  return text;
}

std::string probe_heat_map_svg(const ProbeResult& result) {
  return heat_maps_svg(heat_maps(result));
}

}  // namespace fbt::mechanism
