#pragma once

// What a regrade changed, for people and programs.

#include <string>

#include "harness/run/regrade.h"
#include "results/table/table.h"

namespace fbt::run {

// A row for each run: samples, verdicts that changed and how, the primary metric
// before and after (at each temperature of a grid).
results::Table regrade_table(const RegradeOutcome& outcome);

// The first samples whose verdict changed; no rows where none did.
results::Table regrade_examples_table(const RegradeOutcome& outcome);

// One JSON object, "schema": 1; docs/scorers.md lists the keys.
std::string regrade_json(const RegradeOutcome& outcome, bool dry_run);

}  // namespace fbt::run
