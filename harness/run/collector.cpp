#include "harness/run/collector.h"

namespace fbt::run {

void Collector::add(JudgedSample&& sample) {
  const Cell& cell = cells_[sample.id.cell];
  results::Batch rows;
  if (!sample.stored) {
    rows.documents.push_back(document_row(sample.document, sample.completion));
    rows.generations.push_back(
        generation_row(sample.id, cell, std::move(sample.completion), sample.judgement));
  }
  rows.scores = gatherer_.add(sample.id, std::move(sample.judgement));
  if (!sample.stored || !rows.scores.empty()) recorder_.record(cell.run, std::move(rows));
}

}  // namespace fbt::run
