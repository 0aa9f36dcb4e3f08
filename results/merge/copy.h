#pragma once

// Copying the rows of one results file into another, whose ids differ.

#include "results/merge/fit.h"
#include "results/store/database.h"

namespace fbt::results {

// Copies the runs of `source` (read through `from`, the same file) with all
// that hangs on them, and the experiments. Call within a transaction on `to`.
// Adds to `counts`. Throws InputError where a row is there with another content.
void copy_runs(const FileRuns& source, const Database& from, Database& to, MergeCounts& counts);

}  // namespace fbt::results
