#include <algorithm>

#include <fmt/format.h>

#include "results/compare/comparison_tables.h"
#include "results/report/plot/distribution_plot.h"
#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

DistributionRow row_of(const ReportData& data, const RunData& run, bool several_checkpoints) {
  const std::string mode = mode_label(run.run.plan);
  const ChosenScores chosen = choose_scores(run, data.comparison.options.temperature);
  DistributionRow row;
  if (several_checkpoints) row.group = checkpoint_label(data, run.run.checkpoint);
  row.name = mode;
  row.style = mode_style(data, mode);
  for (const SampleOutcome& sample : run.samples[chosen.temperature_index]) {
    (sample.verdict == Verdict::kRight ? row.right : row.wrong).push_back(sample.trace_length);
  }
  return row;
}

Table data_table(const DistributionPlot& plot) {
  Table table;
  table.columns = {{"checkpoint", false}, {"mode", false}, {"samples", true},
                   {"5 %", true},         {"25 %", true},  {"50 %", true},
                   {"75 %", true},        {"95 %", true},  {"longest", true}};
  for (const DistributionRow& row : plot.rows) {
    std::vector<double> all = row.right;
    all.insert(all.end(), row.wrong.begin(), row.wrong.end());
    if (all.empty()) continue;
    std::sort(all.begin(), all.end());
    std::vector<std::string> cells = {row.group.empty() ? "–" : row.group, row.name,
                                      grouped(static_cast<long long>(all.size()))};
    for (const double p : {0.05, 0.25, 0.5, 0.75, 0.95, 1.0}) {
      cells.push_back(fmt::format("{:.6g}", quantile(all, p)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<std::string> generation_tasks(const ReportData& data) {
  std::vector<std::string> tasks;
  for (const RunData& run : data.runs) {
    const std::string& task = run.run.plan.task;
    if (run.run.plan.kind == "generation" &&
        std::find(tasks.begin(), tasks.end(), task) == tasks.end()) {
      tasks.push_back(task);
    }
  }
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

}  // namespace

std::optional<Section> lengths_section(const ReportData& data) {
  Figures figures;
  for (const std::string& task : generation_tasks(data)) {
    DistributionPlot plot;
    plot.title = task + ": trace length by mode";
    plot.description =
        "A histogram of each mode's trace lengths, right answers below wrong ones, "
        "and a box from the first to the third quartile.";
    plot.x_label = "trace length, tokens";
    for (const RunData& run : data.runs) {
      if (run.run.plan.task != task || run.doc_ids.empty()) continue;
      plot.rows.push_back(row_of(data, run, data.comparison.rows.size() > 1));
    }
    if (plot.rows.empty()) continue;
    figures.figures.push_back(
        {task, draw_distribution_plot(plot, figure_id("lengths", figures.figures.size())),
         data_table(plot)});
  }
  if (figures.figures.empty()) return std::nullopt;
  Section section{"lengths", "Trace lengths", {}};
  section.blocks.emplace_back(
      Paragraph{"Trace length: generated tokens of a completion up to its stop. The box spans the "
                "quartiles, its bar is the median, the whiskers reach from the 5th to the 95th "
                "percentile. Where a grid was sampled, at the temperature of the scores above."});
  section.blocks.emplace_back(std::move(figures));
  section.blocks.emplace_back(TableBlock{lengths_table(data.lengths), ""});
  return section;
}

}  // namespace fbt::results
