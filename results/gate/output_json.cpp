#include "base/json_lines.h"
#include "results/gate/output.h"

namespace fbt::results {
namespace {

using nlohmann::json;

json check_json(const GateCheck& check) {
  json object = {{"check", check_name(check.kind)},
                 {"verdict", gate_status_name(check.status)},
                 {"reason", check.reason},
                 {"candidate", check.candidate},
                 {"limit", check.limit},
                 {"documents", check.documents}};
  if (check.bound) {
    object.update({{"baseline", check.baseline},
                   {"change", check.change},
                   {"bound", *check.bound},
                   {"p_worse", check.p_worse},
                   {"detectable", check.detectable},
                   {"power", check.power}});
  }
  return object;
}

json cell_json(const GateCell& cell) {
  json checks = json::array();
  for (const GateCheck& check : cell.checks) checks.push_back(check_json(check));
  return {{"task", cell.task},
          {"mode", cell.mode},
          {"metric", cell.metric},
          {"problems", cell.problems},
          {"checks", checks}};
}

}  // namespace

std::string gate_json(const GateReport& report) {
  json cells = json::array();
  for (const GateCell& cell : report.cells) cells.push_back(cell_json(cell));
  return dump_json({{"schema", 1},
                    {"verdict", gate_status_name(report.status)},
                    {"exit_status", static_cast<int>(gate_exit_status(report.status))},
                    {"baseline", report.baseline},
                    {"candidate", report.candidate},
                    {"policy", report.policy.name},
                    {"level", report.policy.level},
                    {"reasons", gate_reasons(report)},
                    {"cells", cells}});
}

}  // namespace fbt::results
