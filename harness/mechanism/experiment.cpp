#include "harness/mechanism/experiment.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"

namespace fbt::mechanism {

Experiment::Experiment(const RecordOptions& options, const results::Checkpoint& checkpoint,
                       const std::string& kind, const nlohmann::json& settings,
                       std::vector<std::string> items)
    : database_(options.database),
      store_(options.database, results::OpenMode::kWrite),
      id_(store_.get_or_create(checkpoint, kind, dump_json(settings),
                               static_cast<int>(items.size()), options.fresh)),
      items_(std::move(items)) {
  const std::map<std::string, std::string> done = store_.items(id_);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (options.shard.holds(static_cast<std::int64_t>(i)) && !done.contains(items_[i])) {
      missing_.push_back(i);
    }
  }
}

void Experiment::record(std::size_t item, const nlohmann::json& value) {
  store_.append(id_, items_[item], dump_json(value));
}

void Experiment::stop_if_interrupted() const {
  if (!run::interrupted()) return;
  throw InterruptedError(
      fmt::format("interrupted; {} keeps what was done, the same command goes on from there",
                  database_.string()));
}

std::map<std::size_t, nlohmann::json> Experiment::results() const {
  const std::map<std::string, std::string> done = store_.items(id_);
  std::map<std::size_t, nlohmann::json> results;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const auto found = done.find(items_[i]);
    if (found == done.end()) continue;
    results.emplace(
        i, parse_json(found->second, fmt::format("{}: item '{}'", database_.string(), items_[i])));
  }
  return results;
}

}  // namespace fbt::mechanism
