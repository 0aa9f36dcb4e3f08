#pragma once

// Hands judged samples to the recorder: each sample as it comes, the document's
// metrics together with its last sample.

#include <vector>

#include "harness/run/recorder.h"
#include "harness/run/score_gatherer.h"

namespace fbt::run {

class Collector {
 public:
  // Both outlive the collector.
  Collector(const std::vector<Cell>& cells, Recorder& recorder)
      : cells_(cells), recorder_(recorder), gatherer_(cells) {}

  // Any thread; throws what the recorder throws. Of a sample that an earlier
  // session stored only the document's metrics are new.
  void add(JudgedSample&& sample);

 private:
  const std::vector<Cell>& cells_;
  Recorder& recorder_;
  ScoreGatherer gatherer_;
};

}  // namespace fbt::run
