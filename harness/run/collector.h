#pragma once

// Gathers a document's judged samples and hands finished rows to the recorder:
// each sample as it comes, the document's metrics together with its last sample.

#include <cstddef>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "harness/run/cell.h"
#include "harness/run/judge.h"
#include "harness/run/recorder.h"

namespace fbt::run {

// One sample of the grid.
struct SampleId {
  std::size_t cell = 0;  // index among the run's cells
  int document = 0;
  double temperature = 0;
  int sample = 0;
};

class Collector {
 public:
  // Both outlive the collector.
  Collector(const std::vector<Cell>& cells, Recorder& recorder)
      : cells_(cells), recorder_(recorder) {}

  // A sample judged now. Any thread; throws what the recorder throws.
  void add(const SampleId& id, results::Document document, results::Generation generation,
           Judgement judgement);

  // A sample that an earlier session stored. Any thread.
  void restore(const SampleId& id, Judgement judgement);

 private:
  // Takes the judgement in; the document's metrics where it was the last one.
  std::vector<results::DocumentScore> collect(const SampleId& id, Judgement&& judgement);

  const std::vector<Cell>& cells_;
  Recorder& recorder_;
  std::mutex mutex_;
  // Unfinished documents' samples, by (cell, document, temperature) and sample.
  using Key = std::tuple<std::size_t, int, double>;
  std::map<Key, std::map<int, Judgement>> open_;
};

}  // namespace fbt::run
