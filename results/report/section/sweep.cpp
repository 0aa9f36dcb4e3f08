#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "results/report/plot/line_plot.h"
#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

// The fused runs of a checkpoint whose task was run at several feedback steps,
// zero among them.
std::vector<RunData> sweep_runs(const ReportData& data, const std::string& hash) {
  std::map<std::string, std::set<int>> steps;
  const auto is_fused = [&](const RunData& run) {
    return run.run.checkpoint.content_hash == hash && run.run.plan.mode == "fused" &&
           !run.doc_ids.empty();
  };
  for (const RunData& run : data.runs) {
    if (is_fused(run)) steps[run.run.plan.task].insert(run.run.plan.feedback_steps);
  }
  std::vector<RunData> runs;
  for (const RunData& run : data.runs) {
    if (!is_fused(run)) continue;
    const std::set<int>& own = steps[run.run.plan.task];
    if (own.size() > 1 && own.contains(0)) runs.push_back(run);
  }
  return runs;
}

int steps_of(std::span<const RunData> runs, const std::string& mode) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunData& run) {
    return mode_label(run.run.plan) == mode;
  });
  return found->run.plan.feedback_steps;
}

std::string difference_text(const ComparisonCell& cell) {
  if (!cell.difference) return "–";
  return fmt::format("{} [{}, {}]{}", signed_percent(cell.difference->difference, 1),
                     signed_percent(cell.difference->interval.low, 1),
                     signed_percent(cell.difference->interval.high, 1),
                     cell.significant ? " *" : "");
}

// One series per task or group, and the table behind them.
void add_scores(std::span<const RunData> runs, const Comparison& comparison, LinePlot& plot,
                Table& table) {
  table.columns = {{"task", false}, {"steps", true}, {"score in %", true}, {"Δ to 0 steps", true}};
  const ComparisonRow& row = comparison.rows.front();
  const bool has_groups = comparison.columns.back().is_group;  // they stand last
  int style = 0;
  for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
    const ComparisonColumn& column = comparison.columns[i];
    if (!row.cells[i]) continue;
    const ComparisonCell& cell = *row.cells[i];
    if (plot.series.empty() || plot.series.back().name != column.task) {
      PlotSeries& series = plot.series.emplace_back();
      series.name = column.task;
      series.style = style++;
      series.dashed = has_groups && !column.is_group;
    }
    const int steps = steps_of(runs, column.mode);
    const std::string score = percent_with_interval(cell.score.value, cell.score.interval);
    plot.series.back().points.push_back(
        {static_cast<double>(steps), 100 * cell.score.value,
         Interval{100 * cell.score.interval.low, 100 * cell.score.interval.high},
         fmt::format("{} after {} feedback steps: {} %", column.task, steps, score)});
    table.rows.push_back({column.task, std::to_string(steps), score, difference_text(cell)});
  }
  for (PlotSeries& series : plot.series) {
    std::sort(series.points.begin(), series.points.end(),
              [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  }
  table.notes.emplace_back("* significant after Holm's correction over this table");
}

Figure score_figure(const ReportData& data, std::span<const RunData> runs, std::size_t number) {
  CompareOptions options;
  options.baseline = runs.front().run.checkpoint.content_hash;
  options.baseline_mode = "fused-0";
  options.level = data.comparison.options.level;
  const std::string name = checkpoint_label(data, runs.front().run.checkpoint);
  LinePlot plot;
  plot.title = name + ": score by feedback steps of the prefill";
  plot.description = "The score of each task and group after 0, 1, 2 … fused passes.";
  plot.x = {.label = "feedback steps of the prefill", .whole = true};
  plot.y = {.label = "score, %"};
  Table table;
  add_scores(runs, compare_runs(runs, options), plot, table);
  return {name, draw_line_plot(plot, figure_id("sweep-scores", number)), std::move(table)};
}

// The validation loss over the same steps, where it was measured.
std::optional<Figure> loss_figure(const ReportData& data, std::span<const RunData> runs,
                                  std::size_t number) {
  const Checkpoint& checkpoint = runs.front().run.checkpoint;
  std::size_t most = 0;
  for (const RunData& run : runs) {
    most = std::max(most, static_cast<std::size_t>(run.run.plan.feedback_steps));
  }
  LinePlot plot;
  plot.title = checkpoint_label(data, checkpoint) + ": validation loss by feedback steps";
  plot.description = "Loss in nats a token after each feedback step.";
  plot.x = {.label = "feedback steps of the prefill", .whole = true};
  plot.y = {.label = "loss, nats a token"};
  Table table;
  table.columns = {{"text", false}, {"steps", true}, {"loss", true}};
  for (const StabilityCurve& curve : data.stability) {
    const bool known = std::any_of(plot.series.begin(), plot.series.end(),
                                   [&](const auto& other) { return other.name == curve.source; });
    if (known || curve.checkpoint.content_hash != checkpoint.content_hash) continue;
    PlotSeries& series = plot.series.emplace_back();
    series.name = curve.source;
    series.style = static_cast<int>(plot.series.size()) - 1;
    for (std::size_t n = 0; n <= most && n < curve.loss.size(); ++n) {
      series.points.push_back({static_cast<double>(n), curve.loss[n], std::nullopt,
                               fmt::format("{:.4f} after {} steps", curve.loss[n], n)});
      table.rows.push_back({curve.source, std::to_string(n), fmt::format("{:.4f}", curve.loss[n])});
    }
  }
  if (plot.series.empty()) return std::nullopt;
  return Figure{checkpoint_label(data, checkpoint) + " · validation loss",
                draw_line_plot(plot, figure_id("sweep-loss", number)), std::move(table)};
}

}  // namespace

std::optional<Section> sweep_section(const ReportData& data) {
  Figures figures;
  for (const ComparisonRow& row : data.comparison.rows) {
    const std::vector<RunData> runs = sweep_runs(data, row.checkpoint.content_hash);
    if (runs.empty()) continue;
    const std::size_t number = figures.figures.size();
    figures.figures.push_back(score_figure(data, runs, number));
    if (auto loss = loss_figure(data, runs, number)) figures.figures.push_back(std::move(*loss));
  }
  if (figures.figures.empty()) return std::nullopt;
  Section section{"sweep", "Feedback steps of the prefill", {}};
  section.blocks.emplace_back(
      Paragraph{"Scores and validation loss after 0, 1, 2 … fused passes over the prompt. Zero "
                "steps are standard mode; differences are paired over the same documents."});
  section.blocks.emplace_back(std::move(figures));
  return section;
}

}  // namespace fbt::results
