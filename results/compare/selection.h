#pragma once

// Which runs take part, and whether they may be put side by side.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "results/store/store.h"
#include "results/summary/run_data.h"

namespace fbt::results {

struct SelectionOptions {
  // Empty: all. Checkpoints by name or by the start of their content hash.
  std::vector<std::string> checkpoints = {};
  std::vector<std::string> tasks = {};
  std::vector<std::string> modes = {};  // labels, as "fused-2"
  // Settings that the plan must have, by the plan's keys: {"shots", "0"}, {"limit", "none"}.
  std::map<std::string, std::string> settings = {};
};

// "shots=0" or "shots=0,limit=none". Throws InputError.
std::map<std::string, std::string> parse_settings(const std::string& text);

// A run and the store that holds it, which must outlive it.
struct ChosenRun {
  const Store* store = nullptr;
  RunRecord run;
};

// The runs of all stores that fit. Throws InputError for names that no run has
// (with the nearest) and where no run fits.
std::vector<ChosenRun> choose_runs(std::span<const Store> stores, const SelectionOptions& options);

// Throws InputError for the same run in two stores, and where a checkpoint has
// two runs of a task in a mode (naming the settings in which they differ and how
// to choose).
void refuse_twins(std::span<const ChosenRun> runs);

// The runs that choose_runs() gives, none of them twins, loaded.
std::vector<RunData> select_runs(std::span<const Store> stores, const SelectionOptions& options);

// Throws InputError where runs of one task differ in prompts, shots, limit,
// data, chat format or metric, saying which and between whom.
void require_comparable(std::span<const RunData> runs);

// Throws InputError where the runs that `name` (a checkpoint or a file) stands
// for are of several checkpoints.
void require_one_checkpoint(std::span<const RunData> runs, const std::string& name);

// The runs of one checkpoint, found by name or by the start of its content hash.
// Throws InputError where there is none or several.
std::string find_checkpoint(std::span<const RunData> runs, const std::string& name);

}  // namespace fbt::results
