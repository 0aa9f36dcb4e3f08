#include <algorithm>

#include <fmt/format.h>

#include "results/summary/summary.h"

namespace fbt::results {
namespace {

// Which optional columns have something to say.
struct Shape {
  bool several_checkpoints = false;
  bool grid = false;
  bool generation = false;
  bool cut = false;
  bool undecided = false;
  bool incomplete = false;
  bool weighted = false;
};

Shape shape_of(const Summary& summary) {
  Shape shape;
  for (const SummaryRow& row : summary.rows) {
    shape.several_checkpoints |=
        row.run.checkpoint.content_hash != summary.rows.front().run.checkpoint.content_hash;
    shape.grid |= row.split_half.has_value();
    shape.generation |= row.median_trace.has_value();
    shape.cut |= row.cut_prompts > 0;
    shape.undecided |= row.undecided > 0;
    shape.incomplete |= !row.complete();
  }
  for (const GroupRow& group : summary.groups) {
    shape.weighted |= group.mean == TaskGroup::Mean::kSizeWeighted;
  }
  return shape;
}

// Tasks whose row the row of a size-weighted group stands for.
bool is_folded(const SummaryRow& row, const std::vector<GroupRow>& groups) {
  return std::any_of(groups.begin(), groups.end(), [&](const GroupRow& group) {
    return group.mean == TaskGroup::Mean::kSizeWeighted &&
           group.checkpoint == row.run.checkpoint.name && group.mode == row.mode &&
           std::find(group.tasks.begin(), group.tasks.end(), row.run.plan.task) !=
               group.tasks.end();
  });
}

std::string interval_text(const Interval& interval) {
  return fmt::format("[{}, {}]", percent(interval.low, 1), percent(interval.high, 1));
}

std::string tokens_text(const std::optional<double>& tokens) {
  return tokens ? fmt::format("{:.6g}", *tokens) : "-";
}

// Cells in the order of the columns, those that the shape leaves out left out.
class RowBuilder {
 public:
  explicit RowBuilder(const Shape& shape) : shape_(shape) {}

  struct Cells {
    std::string checkpoint, task, mode, shots, metric, score, interval, documents;
    std::string temperature = "-", split_half = "-", trace = "-", reasoning = "-";
    std::string tokens = "-", cut = "-", undecided = "-";
  };

  std::vector<std::string> build(Cells cells) const {
    std::vector<std::string> row;
    if (shape_.several_checkpoints) row.push_back(std::move(cells.checkpoint));
    for (std::string* cell : {&cells.task, &cells.mode, &cells.shots, &cells.metric, &cells.score,
                              &cells.interval, &cells.documents}) {
      row.push_back(std::move(*cell));
    }
    if (shape_.grid) {
      row.push_back(std::move(cells.temperature));
      row.push_back(std::move(cells.split_half));
    }
    if (shape_.generation) {
      row.push_back(std::move(cells.trace));
      row.push_back(std::move(cells.reasoning));
      row.push_back(std::move(cells.tokens));
    }
    if (shape_.cut) row.push_back(std::move(cells.cut));
    if (shape_.undecided) row.push_back(std::move(cells.undecided));
    return row;
  }

 private:
  Shape shape_;
};

std::vector<Column> columns_of(const Shape& shape) {
  std::vector<Column> columns;
  if (shape.several_checkpoints) columns.push_back({"checkpoint", false});
  for (const char* name : {"task", "mode"}) columns.push_back({name, false});
  columns.push_back({"shots", true});
  columns.push_back({"metric", false});
  for (const char* name : {"score", "95% interval", "docs"}) columns.push_back({name, true});
  if (shape.grid) {
    columns.push_back({"best T", true});
    columns.push_back({"split-half", true});
  }
  if (shape.generation) {
    for (const char* name : {"trace", "reasoning", "tokens"}) columns.push_back({name, true});
  }
  if (shape.cut) columns.push_back({"cut", true});
  if (shape.undecided) columns.push_back({"undecided", true});
  return columns;
}

RowBuilder::Cells main_cells(const SummaryRow& row) {
  RowBuilder::Cells cells;
  const Plan& plan = row.run.plan;
  cells.checkpoint = row.run.checkpoint.name;
  cells.task = plan.task;
  cells.mode = row.mode;
  cells.shots = std::to_string(plan.shots);
  cells.metric = plan.primary_metric;
  cells.score = percent(row.score.value);
  cells.interval = interval_text(row.score.interval);
  cells.documents = row.complete()
                        ? std::to_string(row.run.documents_done)
                        : fmt::format("{}/{}", row.run.documents_done, row.run.documents_planned);
  if (row.temperature) cells.temperature = fmt::format("{}", *row.temperature);
  if (row.split_half) cells.split_half = percent(row.split_half->value);
  cells.trace = tokens_text(row.median_trace);
  cells.reasoning = tokens_text(row.median_reasoning);
  if (row.median_trace) cells.tokens = grouped(row.generated_tokens);
  cells.cut = std::to_string(row.cut_prompts);
  cells.undecided = std::to_string(row.undecided);
  return cells;
}

RowBuilder::Cells sub_cells(const std::string& name, const Estimate& score) {
  RowBuilder::Cells cells;
  cells.task = "  " + name;
  cells.score = percent(score.value);
  cells.interval = interval_text(score.interval);
  return cells;
}

RowBuilder::Cells group_cells(const GroupRow& group) {
  RowBuilder::Cells cells;
  cells.checkpoint = group.checkpoint;
  cells.task = group.group;
  cells.mode = group.mode;
  cells.shots = group.shots ? std::to_string(*group.shots) : "-";
  cells.metric = group.metric;
  cells.score = percent(group.score.value);
  cells.interval = interval_text(group.score.interval);
  cells.documents = group.mean == TaskGroup::Mean::kSizeWeighted
                        ? std::to_string(group.documents)
                        : fmt::format("{} tasks", group.members);
  cells.cut = std::to_string(group.cut_prompts);
  return cells;
}

// The protocol names Pass@k for several k: those that are not the row's own.
std::vector<RowBuilder::Cells> pass_at_k_cells(const SummaryRow& row) {
  std::vector<RowBuilder::Cells> rows;
  for (const auto& [metric, score] : row.metrics) {
    if (!metric.starts_with("pass@") || metric == row.run.plan.primary_metric) continue;
    RowBuilder::Cells& cells = rows.emplace_back();
    cells.metric = metric;
    cells.score = percent(score.value);
    const Interval interval = normal_interval(score.value, score.standard_error, 0.95);
    cells.interval = interval_text({std::max(0.0, interval.low), std::min(1.0, interval.high)});
    if (row.temperature) cells.temperature = fmt::format("{}", *row.temperature);
  }
  return rows;
}

std::vector<std::string> notes_for(const Shape& shape) {
  std::vector<std::string> notes;
  if (shape.grid) {
    notes.emplace_back(
        "score: at the temperature that is best on these documents, as the paper reports; "
        "split-half: temperature chosen on one half, scored on the other.");
  }
  if (shape.generation) {
    notes.emplace_back(
        "trace, reasoning: median tokens of a completion, and of those before its answer; "
        "tokens: generated in all.");
  }
  if (shape.cut) notes.emplace_back("cut: prompts that did not fit and lost their oldest tokens.");
  if (shape.undecided) {
    notes.emplace_back("undecided: samples the scorer could not judge; they count as wrong.");
  }
  if (shape.weighted) {
    notes.emplace_back(
        "groups that count documents weigh their tasks by size, with intervals clustered by task; "
        "--subjects shows these tasks too.");
  }
  if (shape.incomplete) {
    notes.emplace_back("n/m docs: the run is not complete; the same command continues it.");
  }
  return notes;
}

}  // namespace

Table summary_table(const Summary& summary, const SummaryTableOptions& options) {
  const Shape shape = shape_of(summary);
  const RowBuilder builder(shape);
  Table table;
  table.columns = columns_of(shape);
  if (!summary.rows.empty() && !shape.several_checkpoints) {
    table.title = summary.rows.front().run.checkpoint.name;
  }
  for (const SummaryRow& row : summary.rows) {
    if (!options.subjects && is_folded(row, summary.groups)) continue;
    table.rows.push_back(builder.build(main_cells(row)));
    for (RowBuilder::Cells& cells : pass_at_k_cells(row)) {
      table.rows.push_back(builder.build(std::move(cells)));
    }
    if (options.subjects) {
      for (const SubjectScore& subject : row.subjects) {
        RowBuilder::Cells cells = sub_cells(subject.subject, subject.score);
        cells.documents = std::to_string(subject.documents);
        table.rows.push_back(builder.build(std::move(cells)));
      }
    }
    if (options.temperatures && row.grid.size() > 1) {
      for (const TemperatureScore& at : row.grid) {
        RowBuilder::Cells cells = sub_cells(fmt::format("T = {}", at.temperature), at.primary);
        cells.temperature = fmt::format("{}", at.temperature);
        table.rows.push_back(builder.build(std::move(cells)));
      }
    }
  }
  if (!table.rows.empty() && !summary.groups.empty()) table.rows.emplace_back();
  for (const GroupRow& group : summary.groups) {
    table.rows.push_back(builder.build(group_cells(group)));
  }
  table.notes = notes_for(shape);
  return table;
}

}  // namespace fbt::results
