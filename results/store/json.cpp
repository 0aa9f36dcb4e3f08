#include "results/store/json.h"

namespace fbt::results {
namespace {

nlohmann::json optional_number(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace

nlohmann::json checkpoint_json(const Checkpoint& checkpoint) {
  return {{"name", checkpoint.name},
          {"content_hash", checkpoint.content_hash},
          {"train_tokens", optional_number(checkpoint.train_tokens)},
          {"average_passes", optional_number(checkpoint.average_passes)},
          {"family", checkpoint.family},
          {"stage", checkpoint.stage}};
}

}  // namespace fbt::results
