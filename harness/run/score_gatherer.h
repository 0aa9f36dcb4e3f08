#pragma once

// Gathers the judged samples of documents until all of a document's are there.

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "harness/run/judged_sample.h"

namespace fbt::run {

class ScoreGatherer {
 public:
  // `cells` outlives the gatherer.
  explicit ScoreGatherer(const std::vector<Cell>& cells) : cells_(cells) {}

  // Takes the judgement in. With the last of the document's samples at this
  // temperature: the document's metrics, else nothing. Any thread.
  std::vector<results::DocumentScore> add(const SampleId& id, Judgement judgement);

 private:
  const std::vector<Cell>& cells_;
  std::mutex mutex_;
  // Unfinished documents' samples, by (cell, document, temperature) and sample.
  using Key = std::tuple<std::size_t, int, double>;
  std::map<Key, std::map<int, Judgement>> open_;  // guarded by mutex_
};

}  // namespace fbt::run
