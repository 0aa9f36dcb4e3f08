#include "harness/run/regrade_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.h"

namespace fbt::run {
namespace {

using nlohmann::json;
using results::Verdict;

constexpr Verdict kVerdicts[] = {Verdict::kRight, Verdict::kWrong, Verdict::kUndecided};

std::size_t count(const RegradedRun& run, Verdict before, Verdict after) {
  return run.verdicts[static_cast<std::size_t>(before)][static_cast<std::size_t>(after)];
}

// "3 wrong → right, 1 right → undecided", or "-".
std::string changes(const RegradedRun& run) {
  std::string text;
  for (const Verdict before : kVerdicts) {
    for (const Verdict after : kVerdicts) {
      if (before == after || count(run, before, after) == 0) continue;
      text += fmt::format("{}{} {} → {}", text.empty() ? "" : ", ", count(run, before, after),
                          results::verdict_name(before), results::verdict_name(after));
    }
  }
  return text.empty() ? "-" : text;
}

// The primary metric before or after, temperatures apart.
std::string score(const RegradedRun& run, double MetricChange::*when) {
  std::string text;
  for (const MetricChange& change : run.metrics) {
    if (change.metric != run.run.plan.primary_metric) continue;
    if (!text.empty()) text += " / ";
    text += results::percent(change.*when);
  }
  return text;
}

// One line of at most so many bytes, cut between characters.
std::string shortened(std::string text) {
  constexpr std::size_t kMost = 32;
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string judged(const VerdictChange::Judged& judged) {
  return fmt::format("{} ({})", results::verdict_name(judged.verdict), shortened(judged.rule));
}

json judged_json(const VerdictChange::Judged& judged) {
  return {{"verdict", results::verdict_name(judged.verdict)},
          {"rule", judged.rule},
          {"extracted", judged.extracted}};
}

json run_json(const RegradedRun& run) {
  json verdicts = json::object();
  for (const Verdict before : kVerdicts) {
    for (const Verdict after : kVerdicts) {
      verdicts[std::string(results::verdict_name(before))]
              [std::string(results::verdict_name(after))] = count(run, before, after);
    }
  }
  json metrics = json::array();
  for (const MetricChange& change : run.metrics) {
    metrics.push_back({{"metric", change.metric},
                       {"temperature", change.temperature},
                       {"before", change.before},
                       {"after", change.after}});
  }
  json examples = json::array();
  for (const VerdictChange& change : run.examples) {
    examples.push_back({{"doc_id", change.doc_id},
                        {"temperature", change.temperature},
                        {"sample", change.sample},
                        {"before", judged_json(change.before)},
                        {"after", judged_json(change.after)}});
  }
  return {{"run", run.run.id},
          {"checkpoint", run.run.checkpoint.name},
          {"task", run.run.plan.task},
          {"mode", results::mode_label(run.run.plan)},
          {"samples", run.samples},
          {"changed_samples", run.changed},
          {"changed_verdicts", run.verdicts_changed()},
          {"verdicts", verdicts},
          {"metrics", metrics},
          {"examples", examples},
          {"reasoning_lengths_kept", run.lengths_kept}};
}

}  // namespace

results::Table regrade_table(const RegradeOutcome& outcome) {
  results::Table table;
  table.columns = {{"checkpoint"},    {"task"},          {"mode"},
                   {"samples", true}, {"changed", true}, {"verdicts"},
                   {"metric"},        {"before", true},  {"after", true}};
  std::size_t lengths_kept = 0;
  for (const RegradedRun& run : outcome.runs) {
    const results::Plan& plan = run.run.plan;
    table.rows.push_back({run.run.checkpoint.name, plan.task, results::mode_label(plan),
                          results::grouped(static_cast<long long>(run.samples)),
                          results::grouped(static_cast<long long>(run.changed)), changes(run),
                          plan.primary_metric, score(run, &MetricChange::before),
                          score(run, &MetricChange::after)});
    lengths_kept += run.lengths_kept;
  }
  table.notes.emplace_back(
      "changed: samples whose verdict, rule or answer differs; before, after: per cent, by "
      "temperature.");
  if (lengths_kept > 0) {
    table.notes.push_back(fmt::format(
        "{} samples give their answer elsewhere now and keep their reasoning length: give "
        "--tokenizer to measure it again.",
        lengths_kept));
  }
  return table;
}

results::Table regrade_examples_table(const RegradeOutcome& outcome) {
  results::Table table;
  table.columns = {{"task"},         {"mode"},   {"document", true}, {"temperature", true},
                   {"sample", true}, {"before"}, {"after"},          {"answer"}};
  for (const RegradedRun& run : outcome.runs) {
    for (const VerdictChange& change : run.examples) {
      table.rows.push_back({run.run.plan.task, results::mode_label(run.run.plan),
                            fmt::format("{}", change.doc_id), fmt::format("{}", change.temperature),
                            fmt::format("{}", change.sample), judged(change.before),
                            judged(change.after), shortened(change.after.extracted)});
    }
  }
  return table;
}

std::string regrade_json(const RegradeOutcome& outcome, bool dry_run) {
  json runs = json::array();
  for (const RegradedRun& run : outcome.runs) runs.push_back(run_json(run));
  return dump_json(
      {{"schema", 1}, {"dry_run", dry_run}, {"runs", runs}, {"choice_runs", outcome.choice_runs}});
}

}  // namespace fbt::run
