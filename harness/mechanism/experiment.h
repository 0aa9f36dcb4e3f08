#pragma once

// What the experiments over a checkpoint have in common: items that are worked
// off one by one, kept in the results file, continued after an interruption and
// shared out over shards.

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/run/interrupt.h"
#include "harness/run/options.h"
#include "results/store/experiments.h"

namespace fbt::mechanism {

// Where an experiment's results go, and which part of the work is this process's.
struct RecordOptions {
  std::filesystem::path database = "results.sqlite";
  run::Shard shard;    // by the item's index
  bool fresh = false;  // start over
};

class Experiment {
 public:
  // `settings`: everything that can change a result. `items`: the names of all
  // shards' items, in order. Throws as results::ExperimentStore does.
  Experiment(const RecordOptions& options, const results::Checkpoint& checkpoint,
             const std::string& kind, const nlohmann::json& settings,
             std::vector<std::string> items);

  // Indices of this shard's items that are still to be done.
  const std::vector<std::size_t>& missing() const { return missing_; }

  // Durable on return.
  void record(std::size_t item, const nlohmann::json& value);
  // Throws InterruptedError after a signal, naming the results file.
  void stop_if_interrupted() const;

  // What is known so far: item index -> value, of all shards.
  std::map<std::size_t, nlohmann::json> results() const;

 private:
  std::filesystem::path database_;
  results::ExperimentStore store_;
  results::ExperimentId id_;
  std::vector<std::string> items_;
  std::vector<std::size_t> missing_;
  run::InterruptGuard guard_;
};

}  // namespace fbt::mechanism
