#include "base/json_lines.h"
#include "results/compare/comparison_tables.h"
#include "results/statistics/json.h"
#include "results/store/json.h"

namespace fbt::results {
namespace {

using nlohmann::json;

json cell_json(const ComparisonCell& cell) {
  json object = {{"score", estimate_json(cell.score)},
                 {"documents", cell.documents},
                 {"complete", cell.complete},
                 {"temperature", optional_json(cell.temperature)},
                 {"difference", nullptr}};
  if (cell.difference) {
    json difference = paired_json(*cell.difference);
    difference["p_holm"] = cell.p_adjusted;
    difference["significant"] = cell.significant;
    difference["baseline_mode"] = cell.baseline_mode;
    object["difference"] = std::move(difference);
  }
  return object;
}

json row_json(const ComparisonRow& row) {
  json cells = json::array();
  for (const auto& cell : row.cells) cells.push_back(cell ? cell_json(*cell) : json(nullptr));
  return {{"checkpoint", checkpoint_json(row.checkpoint)},
          {"effective_compute", optional_json(row.effective_compute)},
          {"is_baseline", row.is_baseline},
          {"cells", cells}};
}

json efficiency_json(const DataEfficiency& efficiency) {
  return {{"checkpoint", efficiency.checkpoint},
          {"task", efficiency.task},
          {"mode", efficiency.mode},
          {"train_tokens", efficiency.train_tokens},
          {"score", efficiency.score},
          {"equivalent_tokens", efficiency.equivalent_tokens},
          {"ratio", efficiency.ratio},
          {"interval", interval_json(efficiency.interval)},
          {"below_curve", efficiency.below_curve},
          {"beyond_curve", efficiency.beyond_curve},
          {"interval_open", {efficiency.interval_open_low, efficiency.interval_open_high}},
          {"curve_points", efficiency.curve_points}};
}

json lengths_json(const TraceLengths& lengths) {
  return {{"checkpoint", lengths.checkpoint},
          {"task", lengths.task},
          {"mode", lengths.mode},
          {"temperature", optional_json(lengths.temperature)},
          {"median", lengths.median},
          {"median_right", optional_json(lengths.median_right)},
          {"median_wrong", optional_json(lengths.median_wrong)},
          {"change", optional_json(lengths.change)},
          {"change_both_right", optional_json(lengths.change_right)},
          {"change_both_wrong", optional_json(lengths.change_wrong)}};
}

json reference_json(const ReferenceRow& reference) {
  json figures = json::array();
  for (const auto& [place, figure] : reference.figures) {
    figures.push_back({{"task", place.first},
                       {"mode", place.second},
                       {"percent", figure.percent},
                       {"note", figure.note}});
  }
  return {{"name", reference.name},     {"source", reference.source},
          {"stage", reference.stage},   {"train_tokens", reference.train_tokens},
          {"family", reference.family}, {"figures", figures}};
}

template <typename T>
json array_of(std::span<const T> items, json (*convert)(const T&)) {
  json array = json::array();
  for (const T& item : items) array.push_back(convert(item));
  return array;
}

}  // namespace

std::string comparison_json(const Comparison& comparison,
                            std::span<const DataEfficiency> efficiencies,
                            std::span<const TraceLengths> lengths,
                            std::span<const ReferenceRow> references) {
  json columns = json::array();
  for (const ComparisonColumn& column : comparison.columns) {
    columns.push_back({{"task", column.task},
                       {"mode", column.mode},
                       {"metric", column.metric},
                       {"group", column.is_group}});
  }
  json rows = json::array();
  for (const ComparisonRow& row : comparison.rows) rows.push_back(row_json(row));
  return dump_json({{"schema", 1},
                    {"level", comparison.options.level},
                    {"baseline", comparison.baseline},
                    {"columns", columns},
                    {"rows", rows},
                    {"data_efficiency", array_of(efficiencies, efficiency_json)},
                    {"trace_lengths", array_of(lengths, lengths_json)},
                    {"references", array_of(references, reference_json)}});
}

}  // namespace fbt::results
