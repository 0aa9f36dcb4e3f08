#include "results/gate/gate.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/compare/comparison.h"
#include "results/table/table.h"

namespace fbt::results {
namespace {

struct CellName {
  std::string task;
  std::string mode;
  bool operator<(const CellName& other) const {
    if (task != other.task) return task < other.task;
    return mode != other.mode && mode_before(mode, other.mode);
  }
};

const RunData* find(std::span<const RunData> runs, const std::string& task,
                    const std::string& mode) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunData& data) {
    return data.run.plan.task == task && mode_label(data.run.plan) == mode;
  });
  return found == runs.end() ? nullptr : &*found;
}

// What the policy's rules and scope ask for.
std::set<CellName> cells_to_gate(std::span<const RunData> baseline, const GatePolicy& policy) {
  std::set<CellName> cells;
  for (const GateRule& rule : policy.rules) {
    for (const std::string& mode : rule.modes) cells.insert({rule.task, mode});
  }
  for (const RunData& data : baseline) {
    const CellName cell{data.run.plan.task, mode_label(data.run.plan)};
    if (policy.all_of_baseline || policy.rule_for(cell.task, cell.mode) != nullptr) {
      cells.insert(cell);
    }
  }
  // A task that is listed for all modes must be there in one at least.
  for (const GateRule& rule : policy.rules) {
    const bool there = std::any_of(cells.begin(), cells.end(),
                                   [&](const CellName& cell) { return cell.task == rule.task; });
    if (!there) cells.insert({rule.task, "standard"});
  }
  return cells;
}

// What must be equal besides what compare asks for: how answers were sampled.
// Device settings (dtype, seed) may differ.
std::vector<std::string> mismatches(const Plan& baseline, const Plan& candidate) {
  Plan aligned = candidate;
  aligned.mode = baseline.mode;
  aligned.feedback_steps = baseline.feedback_steps;
  aligned.seed = baseline.seed;
  aligned.dtype = baseline.dtype;
  aligned.batch_invariant = baseline.batch_invariant;
  aligned.groups = baseline.groups;
  return plan_differences(baseline, aligned, false);
}

double undecided_share(const RunData& data) {
  std::size_t samples = 0;
  std::size_t undecided = 0;
  for (const auto& at_temperature : data.samples) {
    samples += at_temperature.size();
    undecided += static_cast<std::size_t>(
        std::count_if(at_temperature.begin(), at_temperature.end(),
                      [](const SampleOutcome& s) { return s.verdict == Verdict::kUndecided; }));
  }
  return samples == 0 ? 0 : static_cast<double>(undecided) / static_cast<double>(samples);
}

class CellJudge {
 public:
  CellJudge(std::span<const RunData> baseline, std::span<const RunData> candidate,
            const GatePolicy& policy)
      : baseline_(baseline), candidate_(candidate), policy_(policy) {}

  GateCell judge(const CellName& name) const {
    GateCell cell;
    cell.task = name.task;
    cell.mode = name.mode;
    const GateRule* rule = policy_.rule_for(name.task, name.mode);
    const GateLimits& limits = rule != nullptr ? rule->limits : policy_.defaults;
    const RunData* candidate = find(candidate_, name.task, name.mode);
    require_usable("candidate", candidate, name.mode, limits, cell);
    const bool compares = limits.margin || limits.max_trace_growth;
    const RunData* baseline = nullptr;
    if (compares) {
      const std::string& mode =
          rule != nullptr && !rule->baseline_mode.empty() ? rule->baseline_mode : name.mode;
      baseline = find(baseline_, name.task, mode);
      require_usable("baseline", baseline, mode, limits, cell);
      require_match(baseline, candidate, cell);
    }
    if (cell.problems.empty()) {
      const std::string metric = rule != nullptr ? rule->metric : "";
      cell.metric = metric.empty() ? candidate->run.plan.primary_metric : metric;
      add_checks(*candidate, baseline, limits, cell);
    }
    return cell;
  }

 private:
  void require_usable(const char* side, const RunData* data, const std::string& mode,
                      const GateLimits& limits, GateCell& cell) const {
    if (data == nullptr) {
      cell.problems.push_back(fmt::format("the {} has no run in mode {}", side, mode));
      return;
    }
    const RunRecord& run = data->run;
    if (!run.complete()) {
      cell.problems.push_back(fmt::format("the {}'s run is incomplete ({} of {} documents)", side,
                                          run.documents_done, run.documents_planned));
    }
    if (const auto documents = static_cast<int>(data->doc_ids.size());
        documents < std::max(limits.min_documents, 1)) {
      cell.problems.push_back(
          fmt::format("the {}'s run is too small: {} documents, the policy asks for {}", side,
                      documents, std::max(limits.min_documents, 1)));
    }
    if (const double share = undecided_share(*data); share > policy_.max_undecided) {
      cell.problems.push_back(fmt::format(
          "{} % of the {}'s samples have no verdict (allowed: {} %); run fbt-eval regrade",
          percent(share, 1), side, percent(policy_.max_undecided, 1)));
    }
  }

  static void require_match(const RunData* baseline, const RunData* candidate, GateCell& cell) {
    if (baseline == nullptr || candidate == nullptr) return;
    const auto differences = mismatches(baseline->run.plan, candidate->run.plan);
    if (!differences.empty()) {
      cell.problems.push_back(
          fmt::format("the runs do not match: they differ in {}", fmt::join(differences, ", ")));
    } else if (baseline->doc_ids != candidate->doc_ids && cell.problems.empty()) {
      cell.problems.emplace_back("the runs do not match: they hold different documents");
    }
  }

  void add_checks(const RunData& candidate, const RunData* baseline, const GateLimits& limits,
                  GateCell& cell) const {
    const ChosenScores scores = choose_scores(candidate, policy_.temperature, cell.metric);
    if (limits.floor) {
      cell.checks.push_back(
          floor_check(*limits.floor, mean(scores.per_document), candidate.doc_ids.size()));
    }
    if (baseline == nullptr) return;
    const ChosenScores base = choose_scores(*baseline, policy_.temperature, cell.metric);
    if (limits.margin) {
      cell.checks.push_back(score_check(*limits.margin, base.per_document, scores.per_document,
                                        candidate.subjects, policy_.level));
    }
    if (limits.max_trace_growth && candidate.run.plan.kind == "generation") {
      const auto before = trace_lengths(*baseline, base.temperature_index);
      const auto after = trace_lengths(candidate, scores.temperature_index);
      cell.checks.push_back(trace_check(*limits.max_trace_growth, before, after, policy_.level));
    }
  }

  std::span<const RunData> baseline_;
  std::span<const RunData> candidate_;
  const GatePolicy& policy_;
};

void decide_all(std::vector<GateCell>& cells, const GatePolicy& policy) {
  std::vector<GateCheck*> tested;
  std::vector<double> p_values;
  for (GateCell& cell : cells) {
    for (GateCheck& check : cell.checks) {
      if (!check.bound) continue;
      tested.push_back(&check);
      p_values.push_back(check.p_worse);
    }
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    decide(*tested[i], adjusted[i], tested.size(), policy.level, policy.power);
  }
}

GateStatus overall(const std::vector<GateCell>& cells) {
  GateStatus status = GateStatus::kPass;
  for (const GateCell& cell : cells) {
    if (!cell.problems.empty()) return GateStatus::kInvalid;
    for (const GateCheck& check : cell.checks) {
      if (check.status == GateStatus::kFail) status = GateStatus::kFail;
      if (check.status == GateStatus::kUndecided && status == GateStatus::kPass) {
        status = GateStatus::kUndecided;
      }
    }
  }
  return status;
}

}  // namespace

GateReport run_gate(std::span<const RunData> baseline, std::span<const RunData> candidate,
                    const GatePolicy& policy) {
  GateReport report;
  report.policy = policy;
  report.baseline = baseline.front().run.checkpoint.name;
  report.candidate = candidate.front().run.checkpoint.name;
  const CellJudge judge(baseline, candidate, policy);
  std::size_t checks = 0;
  for (const CellName& name : cells_to_gate(baseline, policy)) {
    report.cells.push_back(judge.judge(name));
    checks += report.cells.back().checks.size() + report.cells.back().problems.size();
  }
  if (checks == 0) {
    throw InputError(
        fmt::format("policy {}: sets no floor, margin or max_trace_growth for any of "
                    "the runs; nothing would be gated",
                    policy.name));
  }
  decide_all(report.cells, policy);
  report.status = overall(report.cells);
  return report;
}

ExitStatus gate_exit_status(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return ExitStatus::kDone;
    case GateStatus::kFail:
      return ExitStatus::kGateFailed;
    case GateStatus::kUndecided:
    case GateStatus::kInvalid:
      return ExitStatus::kBadInput;
  }
  return ExitStatus::kBadInput;
}

std::vector<std::string> gate_reasons(const GateReport& report) {
  std::vector<std::string> reasons;
  for (const GateCell& cell : report.cells) {
    for (const std::string& problem : cell.problems) {
      reasons.push_back(fmt::format("{} {}: {}", cell.task, cell.mode, problem));
    }
    for (const GateCheck& check : cell.checks) {
      if (check.reason.empty()) continue;
      reasons.push_back(fmt::format("{} {}: {}", cell.task, cell.mode, check.reason));
    }
  }
  return reasons;
}

}  // namespace fbt::results
