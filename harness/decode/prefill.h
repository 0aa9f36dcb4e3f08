#pragma once

// Computes a prefix tree: all passes over all its tokens, each once, in packed
// batches that may hold parts of many nodes. A token's keys and values are in
// the cache before any attention of its layer runs, so a node and its children
// may stand in one batch.
//
// A node's cache lives while the walk is below it, as long as someone holds the
// PrefixState it was handed and, with a PrefixCache, as long as memory allows
// where it may be asked for again: shared prefixes, and where the walk ended.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "harness/decode/inference_model.h"
#include "harness/decode/prefix_tree.h"
#include "harness/decode/profile.h"

namespace fbt {

// A prefix after one of its passes: enough to go on from.
struct PassState {
  KvSequence cache;
  at::Tensor last_state;  // [D]: s of the last position
};

// A prefix after all its passes; [0] is the plain pass.
using PrefixState = std::vector<PassState>;

class PrefixCache;

// Positions of a node whose states a pass has just given.
struct ComputedSlice {
  int node = 0;
  std::int64_t begin = 0;  // positions
  std::int64_t end = 0;
  std::int64_t first_row = 0;  // of the pass's states
};

// What a pass over a batch has given.
struct ComputedPass {
  int pass = 0;
  at::Tensor states;  // [T,D], all slices packed
  std::vector<ComputedSlice> slices;
};

class Prefill {
 public:
  struct Plan {
    // After each pass over a batch.
    std::function<void(const ComputedPass&)> computed;
    // The whole of a sequence is there, in all the passes its last node has (at
    // least those it asked for). `sequence` indexes tree.sequences().
    std::function<void(int sequence, std::shared_ptr<const PrefixState>)> ready;
    // Positions below this stay plain in every pass, besides 0 and BOS.
    std::int64_t plain_prefix = 0;
    // Where the walk looks for prefixes of earlier trees, and leaves its own; null:
    // nowhere. Only for trees without a plain prefix.
    PrefixCache* cache = nullptr;
    // With a cache: the first position of a node that `computed` must report.
    // Null: none.
    std::function<std::int64_t(int node)> first_needed;
  };

  // All references must outlive the object.
  Prefill(const InferenceModel& model, KvPool& pool, const PrefixTree& tree, Plan plan,
          Profile& profile);

  bool done() const { return next_node_ == tree_.nodes().size(); }

  // Computes up to `max_tokens` further tokens (in all their passes), fewer where
  // their keys and values would take more than `max_bytes`; at least one.
  void step(std::int64_t max_tokens,
            std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max());

  // The most cache memory that step(max_tokens) may take.
  std::int64_t step_bytes(std::int64_t max_tokens) const;

  std::uint64_t computed_tokens() const { return computed_tokens_; }  // times passes

 private:
  struct OpenNode {
    int node = 0;
    std::shared_ptr<PrefixState> state;
  };
  struct Slice;

  std::vector<Slice> take_slices(std::int64_t max_tokens, std::int64_t max_bytes);
  std::int64_t slice_bytes(const PrefixTree::Node& node, std::int64_t tokens) const;
  void open_node();
  void close_node();
  void finish_node(const PrefixTree::Node& node, const std::shared_ptr<PrefixState>& state) const;
  // `states` [T,D]: of the pass before, whose rows the slices still know.
  at::Tensor pass_inputs(const std::vector<Slice>& slices, int pass,
                         const at::Tensor& states) const;
  at::Tensor previous_states(const std::vector<Slice>& slices, int pass,
                             const at::Tensor& states) const;
  ComputedPass run_pass(std::vector<Slice>& slices, int pass, const at::Tensor& states_before);

  const InferenceModel& model_;
  KvPool& pool_;
  const PrefixTree& tree_;
  Plan plan_;
  Profile& profile_;
  std::size_t next_node_ = 0;
  std::int64_t next_offset_ = 0;  // tokens of it that are computed
  std::vector<OpenNode> path_;    // from the root to the node at work
  std::uint64_t computed_tokens_ = 0;
};

}  // namespace fbt
