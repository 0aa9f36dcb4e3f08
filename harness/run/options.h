#pragma once

// What the user asked of a run, as given: defaults that depend on the task, the
// checkpoint or the machine are filled in by the plan.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/backend/mode.h"

namespace fbt::run {

// Part i of n, i from 1: documents with (doc_id mod n) = i - 1.
struct Shard {
  int index = 1;
  int count = 1;
  bool holds(std::int64_t doc_id) const { return doc_id % count == index - 1; }
};

// "2/8". Throws InputError.
Shard parse_shard(std::string_view text);

struct RunOptions {
  std::string checkpoint = "demo";  // folder, "demo", or "random:CONFIG.json"
  std::string data;                 // folder or "samples"; empty: see data_folder_for()
  std::vector<std::string> tasks;   // names, groups, or definition files
  std::vector<Mode> modes;          // empty: all that the checkpoint can do
  std::optional<int> shots;         // empty: the task's own
  std::optional<int> limit;         // first documents of each task
  int feedback_steps = 1;
  // Fused mode once for each of these in place of feedback_steps; the passes
  // are shared, n + 1 steps cost one pass more than n.
  std::vector<int> feedback_sweep;
  std::optional<int> samples;                       // per document and temperature
  std::optional<std::vector<double>> temperatures;  // the grid
  std::optional<std::vector<int>> k;                // of Pass@k
  std::optional<int> max_new_tokens;
  std::uint64_t seed = 0;
  std::string chat;  // chat format: empty: the checkpoint's own

  std::string dtype = "float32";
  std::string device = "cpu";
  int threads = 0;  // of the model; 0: all cores
  std::int64_t batch_tokens = 2048;
  int batch_rows = 64;
  double cache_gb = 0;  // 0: a share of the free memory
  bool batch_invariant = false;
  std::string tokenizer;          // tokenizer.json in place of the checkpoint's
  std::uint64_t weight_seed = 1;  // of random: checkpoints

  std::filesystem::path database = "results.sqlite";
  Shard shard;
  bool fresh = false;
  bool unsafe_code = false;
};

}  // namespace fbt::run
