#include "harness/cli/checkpoint_record.h"

namespace fbt::cli {

results::Checkpoint checkpoint_record(const Checkpoint& checkpoint) {
  return {.content_hash = checkpoint_hash(checkpoint),
          .name = checkpoint.facts.name,
          .train_tokens = checkpoint.facts.train_tokens,
          .average_passes = checkpoint.facts.average_passes,
          .family = std::string(family_name(checkpoint.facts.family)),
          .stage = std::string(stage_name(checkpoint.facts.stage)),
          .path = checkpoint.folder.string()};
}

}  // namespace fbt::cli
