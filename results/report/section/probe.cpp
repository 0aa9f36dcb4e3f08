#include <cmath>

#include <fmt/format.h>

#include "results/report/plot/heat_map.h"
#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

std::size_t layers_of(const ProbeMap& probe) {
  std::size_t layers = 0;
  for (const ProbeColumn& column : probe.columns) layers = std::max(layers, column.accuracy.size());
  return layers;
}

std::string layer_name(std::size_t layer) {
  return layer == 0 ? "0 (input)" : std::to_string(layer);
}

HeatMap heat_map_of(const ReportData& data, const ProbeMap& probe) {
  HeatMap map;
  map.title = fmt::format("{} of {}: probe accuracy by layer and condition", probe.task,
                          checkpoint_label(data, probe.checkpoint));
  map.description =
      "Accuracy in per cent of a linear classifier on the residual stream at the "
      "final colon; the palest shade is chance.";
  map.row_label = "layer";
  map.column_label = "prefill, accuracy in %";
  map.low = probe.chance;
  for (const ProbeColumn& column : probe.columns) map.columns.push_back(column.condition);
  for (std::size_t layer = 0; layer < layers_of(probe); ++layer) {
    map.rows.push_back(layer_name(layer));
    for (const ProbeColumn& column : probe.columns) {
      if (layer >= column.accuracy.size()) {
        map.values.push_back(std::nan(""));
        map.notes.emplace_back();
        continue;
      }
      map.values.push_back(column.accuracy[layer]);
      map.notes.push_back(fmt::format(
          "{}, layer {}: {} %; labels shuffled {} %", column.condition, layer_name(layer),
          percent_with_interval(column.accuracy[layer], column.intervals[layer]),
          percent(column.shuffled[layer], 1)));
    }
  }
  return map;
}

Table data_table(const ProbeMap& probe) {
  Table table;
  table.columns.push_back({"layer", false});
  for (const ProbeColumn& column : probe.columns) table.columns.push_back({column.condition, true});
  for (std::size_t layer = 0; layer < layers_of(probe); ++layer) {
    std::vector<std::string> row = {layer_name(layer)};
    for (const ProbeColumn& column : probe.columns) {
      row.push_back(
          layer < column.accuracy.size()
              ? fmt::format("{}\nshuffled {}",
                            percent_with_interval(column.accuracy[layer], column.intervals[layer]),
                            percent(column.shuffled[layer], 1))
              : "–");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::optional<Section> probe_section(const ReportData& data) {
  if (data.probes.empty()) return std::nullopt;
  Figures figures;
  for (const ProbeMap& probe : data.probes) {
    figures.figures.push_back(
        {fmt::format("{} · {} · {} samples in {} groups, chance {} %", probe.task,
                     checkpoint_label(data, probe.checkpoint), grouped(probe.samples), probe.groups,
                     percent(probe.chance, 1)),
         draw_heat_map(heat_map_of(data, probe), figure_id("probe", figures.figures.size())),
         data_table(probe)});
  }
  Section section{"probe", "What a probe reads", {}};
  section.blocks.emplace_back(Paragraph{
      "Accuracy of a linear classifier on the residual stream at the final colon, where the answer "
      "depends only on what precedes it: layer 0 is the input. Under standard prefill the input "
      "there is the colon's embedding and says nothing; after a fused pass it carries the state of "
      "the position before."});
  section.blocks.emplace_back(std::move(figures));
  return section;
}

}  // namespace fbt::results
