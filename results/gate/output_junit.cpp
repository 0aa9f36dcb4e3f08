#include <fmt/format.h>

#include "results/gate/output.h"

namespace fbt::results {
namespace {

// Text for XML: markup escaped, control characters (which XML 1.0 has not) left out.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\t':
      case '\n':
      case '\r':
        result += ' ';
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
  }
  return result;
}

struct Suite {
  std::string cases;
  int tests = 0;
  int failures = 0;
  int errors = 0;

  // `outcome`: "", "failure" or "error".
  void add(const GateCell& cell, const char* name, const char* outcome, const std::string& why) {
    ++tests;
    const std::string open = fmt::format("    <testcase classname=\"gate.{}.{}\" name=\"{}\"",
                                         escaped(cell.task), escaped(cell.mode), name);
    if (*outcome == '\0') {
      cases += open + "/>\n";
      return;
    }
    ++(std::string_view(outcome) == "failure" ? failures : errors);
    cases += fmt::format("{}>\n      <{} message=\"{}\"/>\n    </testcase>\n", open, outcome,
                         escaped(why));
  }
};

const char* outcome_of(GateStatus status) {
  if (status == GateStatus::kPass) return "";
  return status == GateStatus::kFail ? "failure" : "error";
}

}  // namespace

std::string gate_junit(const GateReport& report) {
  Suite suite;
  for (const GateCell& cell : report.cells) {
    for (const std::string& problem : cell.problems) suite.add(cell, "runs", "error", problem);
    for (const GateCheck& check : cell.checks) {
      suite.add(cell, check_name(check.kind), outcome_of(check.status), check.reason);
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"{} against {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n"
      "{}"
      "  </testsuite>\n"
      "</testsuites>\n",
      escaped(report.candidate), escaped(report.baseline), suite.tests, suite.failures,
      suite.errors, suite.cases);
}

}  // namespace fbt::results
