#pragma once

// Whether the runs of two results files belong together: what can be said from
// checkpoints, plans and sessions, before any row is copied.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "results/merge/merge.h"
#include "results/store/store.h"

namespace fbt::results {

struct FileRun {
  RunRecord run;
  std::set<std::string> program_versions;  // of its sessions
};

struct FileRuns {
  std::filesystem::path path;
  std::vector<FileRun> runs;
};

FileRuns runs_of(const Store& store);

// "gsm8k fused of FBT-200B".
std::string run_text(const RunRecord& run);

// Throws InputError; see merge().
void require_fit(const FileRuns& first, const FileRuns& second, const MergeOptions& options);

}  // namespace fbt::results
