#include "harness/run/score_gatherer.h"

namespace fbt::run {

std::vector<results::DocumentScore> ScoreGatherer::add(const SampleId& id, Judgement judgement) {
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
