#pragma once

// Simulated runs: what a harness would hand to the store.

#include <functional>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace fbt::results::testing {

Checkpoint checkpoint(const std::string& name, double train_tokens = 200e9,
                      const std::string& family = "full-bandwidth", double average_passes = 1);

// gsm8k, one greedy sample, exact_match.
Plan greedy_plan(const std::string& mode = "standard");
// humaneval, ten samples at 0.3, 0.5, 0.7, pass@1 and pass@3 (primary).
Plan code_plan(const std::string& mode = "standard");
// A multiple-choice task, acc (primary) and acc_norm.
Plan choice_plan(const std::string& task = "arc_easy", const std::string& mode = "standard");

struct Simulation {
  int documents = 50;
  std::uint64_t seed = 1;
  // Probability that a sample (or choice) of this document is right.
  std::function<double(int document, double temperature)> right = [](int, double) { return 0.5; };
  // Mean trace length, in tokens.
  double trace_length = 100;
  // Subject of a document; empty: none.
  std::function<std::string(int document)> subject = [](int) { return std::string(); };
  // Stops before this document (an interrupted run); negative: at the end.
  int stop_before = -1;
  // Only documents with (document mod shards) = shard.
  int shard = 0;
  int shards = 1;
  std::string program_version = "0.1.0";
};

// The batches of a run, one per document.
std::vector<Batch> simulate(const Plan& plan, const Simulation& simulation);

// Writes a run with all its batches.
RunId write_run(Store& store, const Checkpoint& checkpoint, const Plan& plan,
                const Simulation& simulation);

}  // namespace fbt::results::testing
