#pragma once

// The tensors that a checkpoint of a configuration holds (DESIGN.md §2): the one
// list that loading, checking, writing, counting and random weights go by.
// Knows nothing of LibTorch.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/config.h"

namespace fbt {

enum class TensorGroup { kEmbedding, kAttention, kMlp, kNorm, kFeedback };

// "embedding", "attention", "mlp", "norm", "feedback".
std::string_view tensor_group_name(TensorGroup group);

struct TensorSpec {
  std::string name;                 // "model.layers.3.mlp.up_proj.weight"
  std::vector<std::int64_t> shape;  // [out, in] for projections
  TensorGroup group;

  std::int64_t elements() const;
  bool is_gain() const { return shape.size() == 1; }  // RMSNorm's learned gains
};

// In the order in which checkpoints are written: embedding, layers, norm, feedback.
std::vector<TensorSpec> tensor_list(const ModelConfig& config);

struct ParameterCounts {
  std::int64_t embedding = 0;
  std::int64_t attention = 0;  // projections and head gates
  std::int64_t mlp = 0;
  std::int64_t norm = 0;  // all gains but the feedback's
  std::int64_t feedback = 0;

  std::int64_t total() const { return embedding + attention + mlp + norm + feedback; }
  double feedback_share() const {
    return static_cast<double>(feedback) / static_cast<double>(total());
  }
};

ParameterCounts count_parameters(const ModelConfig& config);

}  // namespace fbt
