#pragma once

// Experiments in the results file: work on a checkpoint that is neither asked
// nor scored like a task (stability, probing). Kept like runs: an experiment is
// found by its checkpoint, kind and settings, its items are durable when append()
// returns, and an item that is there stays as it is, so that interrupted and
// sharded work adds up. Settings and items are JSON texts that only the
// experiment's own code reads.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace fbt::results {

using ExperimentId = std::int64_t;

struct ExperimentRecord {
  ExperimentId id = 0;
  Checkpoint checkpoint;
  std::string kind;      // "stability", "probe"
  std::string settings;  // JSON object
  int items_planned = 0;
  int items_done = 0;
  std::string started_at;  // UTC
  bool complete() const { return items_done >= items_planned; }
};

// Errors as Store's. An object belongs to one thread at a time.
class ExperimentStore {
 public:
  ExperimentStore(const std::filesystem::path& path, OpenMode mode);
  ~ExperimentStore();
  ExperimentStore(ExperimentStore&&) noexcept;
  ExperimentStore& operator=(ExperimentStore&&) noexcept;

  // With `fresh`, items of an earlier one are deleted. `items_planned` counts
  // the items of all shards.
  ExperimentId get_or_create(const Checkpoint& checkpoint, const std::string& kind,
                             const std::string& settings, int items_planned, bool fresh = false);
  void append(ExperimentId experiment, const std::string& item, const std::string& value);

  std::vector<ExperimentRecord> experiments() const;  // by train tokens, checkpoint, kind, id
  std::map<std::string, std::string> items(ExperimentId experiment) const;

 private:
  Store store_;  // the same file's checkpoints
  std::unique_ptr<Database> database_;
};

}  // namespace fbt::results
