#include "harness/run/collector.h"

namespace fbt::run {

void Collector::add(const SampleId& id, results::Document document, results::Generation generation,
                    Judgement judgement) {
  results::Batch rows;
  rows.documents.push_back(std::move(document));
  rows.generations.push_back(std::move(generation));
  rows.scores = collect(id, std::move(judgement));
  recorder_.record(cells_[id.cell].run, std::move(rows));
}

void Collector::restore(const SampleId& id, Judgement judgement) {
  results::Batch rows;
  rows.scores = collect(id, std::move(judgement));
  if (!rows.scores.empty()) recorder_.record(cells_[id.cell].run, std::move(rows));
}

std::vector<results::DocumentScore> Collector::collect(const SampleId& id, Judgement&& judgement) {
  const results::Plan& plan = cells_[id.cell].plan;
  std::vector<Judgement> all;
  {
    const std::scoped_lock lock(mutex_);
    const auto entry = open_.try_emplace({id.cell, id.document, id.temperature}).first;
    entry->second.insert_or_assign(id.sample, std::move(judgement));
    if (static_cast<int>(entry->second.size()) < plan.samples) return {};
    for (auto& [sample, judged] : entry->second) all.push_back(std::move(judged));
    open_.erase(entry);
  }
  return score_document(id.document, id.temperature, all, plan.metrics);
}

}  // namespace fbt::run
