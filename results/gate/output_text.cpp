// The terminal's and Markdown's form.

#include <fmt/format.h>

#include "results/gate/output.h"
#include "results/table/table.h"

namespace fbt::results {
namespace {

const char* headline(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "PASS";
    case GateStatus::kFail:
      return "FAIL";
    case GateStatus::kUndecided:
      return "UNDECIDED";
    case GateStatus::kInvalid:
      return "INVALID";
  }
  return "INVALID";
}

std::string tokens(double length) {
  return fmt::format("{:.1f}", length);
}

std::string relative(double growth) {
  return signed_percent(growth, 1) + "%";
}

std::vector<std::string> row_of(const GateCell& cell, const GateCheck& check) {
  std::vector<std::string> row = {cell.task, cell.mode, check_name(check.kind)};
  switch (check.kind) {
    case GateCheck::Kind::kFloor:
      row.insert(row.end(),
                 {"-", percent(check.candidate), "-", "-", "≥ " + percent(check.limit), "-", "-"});
      break;
    case GateCheck::Kind::kScore:
      row.insert(row.end(),
                 {percent(check.baseline), percent(check.candidate), signed_percent(check.change),
                  "> " + signed_percent(*check.bound), "> " + signed_percent(-check.limit),
                  signed_percent(-check.detectable), fmt::format("{:.2f}", check.power)});
      break;
    case GateCheck::Kind::kTrace:
      row.insert(row.end(),
                 {tokens(check.baseline), tokens(check.candidate), relative(check.change),
                  "< " + relative(*check.bound), "< " + relative(check.limit),
                  relative(check.detectable), fmt::format("{:.2f}", check.power)});
      break;
  }
  row.push_back(std::to_string(check.documents));
  row.emplace_back(gate_status_name(check.status));
  return row;
}

Table table_of(const GateReport& report) {
  Table table;
  table.columns = {{"task", false},      {"mode", false},  {"check", false}, {"baseline", true},
                   {"candidate", true},  {"change", true}, {"bound", true},  {"limit", true},
                   {"detectable", true}, {"power", true},  {"docs", true},   {"verdict", false}};
  for (const GateCell& cell : report.cells) {
    for (const GateCheck& check : cell.checks) table.rows.push_back(row_of(cell, check));
    if (!cell.problems.empty()) {
      std::vector<std::string> row(table.columns.size(), "-");
      row[0] = cell.task;
      row[1] = cell.mode;
      row.back() = gate_status_name(GateStatus::kInvalid);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string summary_line(const GateReport& report) {
  return fmt::format("{}: {} (candidate) against {} (baseline), policy {}", headline(report.status),
                     report.candidate, report.baseline, report.policy.name);
}

std::string legend(const GateReport& report) {
  return fmt::format(
      "bound: one-sided, {:g} % confidence; detectable: the smallest true change for the worse "
      "that fails with probability {:g} %; power: probability that an equal candidate passes.",
      100 * (1 - report.policy.level), 100 * report.policy.power);
}

}  // namespace

const char* check_name(GateCheck::Kind kind) {
  switch (kind) {
    case GateCheck::Kind::kFloor:
      return "floor";
    case GateCheck::Kind::kScore:
      return "score";
    case GateCheck::Kind::kTrace:
      return "trace length";
  }
  return "";
}

std::string gate_text(const GateReport& report) {
  Table table = table_of(report);
  table.title = summary_line(report);
  table.notes = gate_reasons(report);
  table.notes.push_back(legend(report));
  return render(table, TableFormat::kTerminal);
}

std::string gate_markdown(const GateReport& report) {
  std::string text = fmt::format("### Gate: {}\n\n", summary_line(report));
  const std::vector<std::string> reasons = gate_reasons(report);
  for (const std::string& reason : reasons) text += fmt::format("- {}\n", reason);
  if (!reasons.empty()) text += '\n';
  Table table = table_of(report);
  table.notes = {legend(report)};
  return text + render(table, TableFormat::kMarkdown);
}

}  // namespace fbt::results
