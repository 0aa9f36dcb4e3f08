#pragma once

// How a pass's packed queries meet the keys of their sequences: worked out once
// for each kind of layer, used by all layers of that kind.
//
// Runs are cut into blocks of queries, and blocks of like size become a batch for
// one call of scaled-dot-product attention, padded to its longest. In decoding,
// where every run is one query, rows of like length form a batch.

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/decode/device/kv_arena.h"
#include "harness/decode/inference_model.h"

namespace fbt {

class AttentionPlan {
 public:
  // `runs` have their room in the cache already; `rows` T is their sum.
  AttentionPlan(const InferenceModel& model, LayerKind kind, std::span<const TokenRun> runs,
                std::int64_t rows);

  // Writes the tokens' keys and values [T, K*d] to their slots in a layer's arrays.
  void store(const at::Tensor& new_keys, const at::Tensor& new_values, const at::Tensor& keys,
             const at::Tensor& values) const;

  // query [T,H,d] (normed and rotated) against a layer's arrays [slots, K*d] ->
  // [T, H*d].
  at::Tensor attend(const at::Tensor& query, const at::Tensor& keys,
                    const at::Tensor& values) const;

 private:
  // B blocks of up to Q queries, over up to S keys each.
  struct Batch {
    std::int64_t blocks = 0;   // B
    std::int64_t queries = 0;  // Q
    std::int64_t keys = 0;     // S
    at::Tensor query_rows;     // [B*Q] int32: of the packed queries
    at::Tensor key_slots;      // [B*S] int32
    at::Tensor mask;           // [B,1,H/K*Q,S] in compute type: 0 or -infinity
  };
  struct Block;

  Batch make_batch(const InferenceModel& model, std::span<const Block> blocks,
                   std::int64_t window) const;

  std::int64_t key_value_heads_;  // K
  std::int64_t head_dim_;         // d
  at::Tensor new_slots_;          // [T] int64: where the packed tokens' keys go
  std::vector<Batch> batches_;
  // [T] int32: where a packed query's result stands in the batches' results,
  // one after the other with their padding.
  at::Tensor result_rows_;
};

}  // namespace fbt
