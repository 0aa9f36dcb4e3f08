#pragma once

// A gate's verdict for people, pull requests, CI and programs.

#include <string>

#include "results/gate/gate.h"

namespace fbt::results {

// One screen: the verdict, a row per check, the reasons.
std::string gate_text(const GateReport& report);
// The same for a pull request.
std::string gate_markdown(const GateReport& report);
// JUnit XML: a test case per check; failures fail, everything else that does
// not pass is an error.
std::string gate_junit(const GateReport& report);
// One JSON object, "schema": 1; docs/gate.md lists the keys.
std::string gate_json(const GateReport& report);

// "score", "trace length", "floor".
const char* check_name(GateCheck::Kind kind);

}  // namespace fbt::results
