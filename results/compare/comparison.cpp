#include "results/compare/comparison.h"

#include <algorithm>
#include <map>

#include "results/summary/task_groups.h"

namespace fbt::results {
namespace {

// One run with the values its figure is the mean of.
struct Scored {
  const RunData* data;
  ChosenScores chosen;
  Estimate score;
};

int mode_rank(const std::string& mode) {
  if (mode == "standard") return 0;
  if (mode == "soft") return 1;
  return mode == "fused" ? 2 : 3;
}

bool row_before(const Checkpoint& a, const Checkpoint& b) {
  const auto key = [](const Checkpoint& c) {
    // Unknown sizes go last; the standard family comes before its full-bandwidth twin.
    return std::tuple(c.train_tokens.value_or(1e30), c.family != "standard", c.name,
                      c.content_hash);
  };
  return key(a) < key(b);
}

class Builder {
 public:
  Builder(std::span<const RunData> runs, const CompareOptions& options) : options_(options) {
    require_comparable(runs);
    for (const RunData& data : runs) {
      Scored scored{&data, choose_scores(data, options.temperature, options.metric), {}};
      scored.score = estimate_score(scored.chosen.per_document, data.subjects, options.level);
      scored_.push_back(std::move(scored));
    }
    if (!options.baseline.empty()) baseline_hash_ = find_checkpoint(runs, options.baseline);
  }

  Comparison build() {
    result_.options = options_;
    make_columns();
    make_rows();
    for (ComparisonRow& row : result_.rows) {
      for (const ComparisonColumn& column : result_.columns) {
        row.cells.push_back(column.is_group ? group_cell(row, column) : task_cell(row, column));
      }
    }
    adjust();
    return std::move(result_);
  }

 private:
  void make_columns() {
    for (const Scored& scored : scored_) {
      const Plan& plan = scored.data->run.plan;
      const std::string metric = options_.metric.empty() ? plan.primary_metric : options_.metric;
      add_column({plan.task, mode_label(plan), metric, false});
    }
    add_group_columns();
    std::stable_sort(result_.columns.begin(), result_.columns.end(),
                     [](const auto& a, const auto& b) {
                       if (a.is_group != b.is_group) return b.is_group;
                       if (a.task != b.task) return a.task < b.task;
                       return mode_before(a.mode, b.mode);
                     });
  }

  // Of the groups all of whose tasks, two at least, have a column in the mode.
  void add_group_columns() {
    for (const Scored& scored : scored_) groups_.add(scored.data->run.plan.groups);
    const std::vector<ComparisonColumn> tasks = result_.columns;
    std::vector<ComparisonColumn> folded;
    for (const TaskGroup& group : groups_.all()) {
      const std::vector<std::string> inside = groups_.tasks_in(group);
      std::map<std::string, std::vector<ComparisonColumn>> by_mode;
      for (const ComparisonColumn& column : tasks) {
        if (std::find(inside.begin(), inside.end(), column.task) != inside.end()) {
          by_mode[column.mode].push_back(column);
        }
      }
      for (const auto& [mode, columns] : by_mode) {
        if (inside.size() < 2 || columns.size() < inside.size()) continue;
        const std::string& metric = columns[0].metric;
        const bool one_metric =
            std::all_of(columns.begin(), columns.end(),
                        [&metric](const auto& column) { return column.metric == metric; });
        add_column({group.name, mode, one_metric ? metric : "mean", true});
        if (group.mean == TaskGroup::Mean::kSizeWeighted) {
          folded.insert(folded.end(), columns.begin(), columns.end());
        }
      }
    }
    if (options_.subjects) return;
    std::erase_if(result_.columns, [&](const ComparisonColumn& column) {
      return std::any_of(folded.begin(), folded.end(), [&](const auto& other) {
        return column.task == other.task && column.mode == other.mode;
      });
    });
  }

  void add_column(ComparisonColumn column) {
    const bool there = std::any_of(
        result_.columns.begin(), result_.columns.end(),
        [&](const auto& other) { return other.task == column.task && other.mode == column.mode; });
    if (!there) result_.columns.push_back(std::move(column));
  }

  void make_rows() {
    for (const Scored& scored : scored_) {
      const Checkpoint& checkpoint = scored.data->run.checkpoint;
      const bool there =
          std::any_of(result_.rows.begin(), result_.rows.end(), [&](const ComparisonRow& row) {
            return row.checkpoint.content_hash == checkpoint.content_hash;
          });
      if (there) continue;
      ComparisonRow& row = result_.rows.emplace_back();
      row.checkpoint = checkpoint;
      row.is_baseline = checkpoint.content_hash == baseline_hash_;
      if (row.is_baseline) result_.baseline = checkpoint.name;
      if (checkpoint.train_tokens && checkpoint.average_passes) {
        row.effective_compute = *checkpoint.train_tokens * *checkpoint.average_passes;
      }
    }
    std::sort(result_.rows.begin(), result_.rows.end(),
              [](const auto& a, const auto& b) { return row_before(a.checkpoint, b.checkpoint); });
  }

  const Scored* find(const std::string& checkpoint_hash, const std::string& task,
                     const std::string& mode) const {
    const auto found = std::find_if(scored_.begin(), scored_.end(), [&](const Scored& scored) {
      return scored.data->run.checkpoint.content_hash == checkpoint_hash &&
             scored.data->run.plan.task == task && mode_label(scored.data->run.plan) == mode;
    });
    return found == scored_.end() ? nullptr : &*found;
  }

  // What a cell is compared to; null where there is nothing or it is the cell itself.
  const Scored* baseline_of(const Scored& scored) const {
    if (baseline_hash_.empty()) return nullptr;
    const std::string& task = scored.data->run.plan.task;
    const Scored* found = nullptr;
    if (!options_.baseline_mode.empty()) {
      found = find(baseline_hash_, task, options_.baseline_mode);
    } else {
      found = find(baseline_hash_, task, mode_label(scored.data->run.plan));
      if (found == nullptr) found = find(baseline_hash_, task, "standard");
    }
    return found == &scored ? nullptr : found;
  }

  std::optional<ComparisonCell> task_cell(const ComparisonRow& row,
                                          const ComparisonColumn& column) const {
    const Scored* scored = find(row.checkpoint.content_hash, column.task, column.mode);
    if (scored == nullptr) return std::nullopt;
    ComparisonCell cell;
    cell.score = scored->score;
    cell.documents = static_cast<int>(scored->data->doc_ids.size());
    cell.complete = scored->data->run.complete();
    if (scored->data->temperatures.size() > 1) {
      cell.temperature = scored->data->temperatures[scored->chosen.temperature_index];
    }
    if (const Scored* baseline = baseline_of(*scored)) {
      const PairedScores pairs = pair(*baseline, *scored);
      if (!pairs.first.empty()) {
        cell.difference = compare_paired(pairs.first, pairs.second, pairs.subjects, options_.level);
        cell.baseline_mode = mode_label(baseline->data->run.plan);
      }
    }
    return cell;
  }

  std::optional<ComparisonCell> group_cell(const ComparisonRow& row,
                                           const ComparisonColumn& column) const {
    const TaskGroup& group =
        *std::find_if(groups_.all().begin(), groups_.all().end(),
                      [&](const TaskGroup& other) { return other.name == column.task; });
    ComparisonCell cell;
    const auto score = groups_.mean(group, [&](const std::string& task) {
      const Scored* scored = find(row.checkpoint.content_hash, task, column.mode);
      if (scored == nullptr) return std::optional<MeanScore>();
      cell.complete = cell.complete && scored->data->run.complete();
      return std::optional(MeanScore{scored->score.value, scored->score.standard_error,
                                     static_cast<int>(scored->data->doc_ids.size())});
    });
    if (!score) return std::nullopt;
    cell.score = group_estimate(*score, group.mean, options_.level);
    cell.documents = score->documents;
    const auto difference = groups_.mean(group, [&](const std::string& task) {
      const Scored& scored = *find(row.checkpoint.content_hash, task, column.mode);
      const Scored* baseline = baseline_of(scored);
      if (baseline == nullptr) return std::optional<MeanScore>();
      cell.baseline_mode = mode_label(baseline->data->run.plan);
      return mean_difference(*baseline, scored);
    });
    if (difference) {
      const bool weighted = group.mean == TaskGroup::Mean::kSizeWeighted;
      cell.difference =
          compare_normal(difference->value, difference->standard_error, difference->documents,
                         weighted ? "clustered z" : "z of the mean over tasks", options_.level);
    }
    return cell;
  }

  static PairedScores pair(const Scored& first, const Scored& second) {
    return pair_documents(*first.data, first.chosen.per_document, *second.data,
                          second.chosen.per_document);
  }

  // Over the documents that both have done; nothing where there are none.
  static std::optional<MeanScore> mean_difference(const Scored& first, const Scored& second) {
    PairedScores pairs = pair(first, second);
    if (pairs.first.empty()) return std::nullopt;
    for (std::size_t d = 0; d < pairs.first.size(); ++d) pairs.second[d] -= pairs.first[d];
    return mean_score(pairs.second, pairs.subjects);
  }

  void adjust() {
    std::vector<double> p_values;
    std::vector<ComparisonCell*> cells;
    for (ComparisonRow& row : result_.rows) {
      for (auto& cell : row.cells) {
        if (!cell || !cell->difference) continue;
        p_values.push_back(cell->difference->p);
        cells.push_back(&*cell);
      }
    }
    const std::vector<double> adjusted = holm(p_values);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i]->p_adjusted = adjusted[i];
      cells[i]->significant = adjusted[i] < 1 - options_.level;
    }
  }

  const CompareOptions& options_;
  std::vector<Scored> scored_;
  TaskGroups groups_;
  std::string baseline_hash_;
  Comparison result_;
};

}  // namespace

bool mode_before(const std::string& a, const std::string& b) {
  return std::pair(mode_rank(a), a) < std::pair(mode_rank(b), b);
}

PairedScores pair_documents(const RunData& first, std::span<const double> first_values,
                            const RunData& second, std::span<const double> second_values) {
  PairedScores pairs;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.doc_ids.size() && j < second.doc_ids.size()) {
    if (first.doc_ids[i] < second.doc_ids[j]) {
      ++i;
    } else if (second.doc_ids[j] < first.doc_ids[i]) {
      ++j;
    } else {
      pairs.first.push_back(first_values[i]);
      pairs.second.push_back(second_values[j]);
      pairs.subjects.push_back(first.subjects[i]);
      ++i;
      ++j;
    }
  }
  return pairs;
}

Comparison compare_runs(std::span<const RunData> runs, const CompareOptions& options) {
  return Builder(runs, options).build();
}

}  // namespace fbt::results
