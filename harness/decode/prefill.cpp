#include "harness/decode/prefill.h"

#include <algorithm>
#include <utility>

#include <ATen/ATen.h>

namespace fbt {

// A part of a node within a batch.
struct Prefill::Slice {
  int node = 0;
  std::int64_t begin = 0;  // positions
  std::int64_t end = 0;
  int passes = 0;
  std::shared_ptr<PrefixState> state;   // of the node
  std::shared_ptr<PrefixState> before;  // what the slice goes on from; null at position 0
  int before_slice = -1;                // the batch's slice that ends just before it, if any
  std::int64_t row = 0;                 // in the current pass's packed tokens
  at::Tensor states;                    // of the latest pass
  std::vector<at::Tensor> end_states;   // the last position's, of every pass so far

  std::int64_t count() const { return end - begin; }
};

Prefill::Prefill(const InferenceModel& model, KvPool& pool, const PrefixTree& tree, Plan plan,
                 Profile& profile)
    : model_(model), pool_(pool), tree_(tree), plan_(std::move(plan)), profile_(profile) {}

std::vector<Prefill::Slice> Prefill::take_slices(std::int64_t max_tokens) {
  std::vector<Slice> slices;
  std::vector<int> slice_of_node(tree_.nodes().size(), -1);
  std::int64_t taken = 0;
  while (!done() && taken < max_tokens) {
    const PrefixTree::Node& node = tree_.nodes()[next_node_];
    Slice slice;
    slice.node = static_cast<int>(next_node_);
    slice.passes = node.passes;
    if (next_offset_ == 0) {
      while (!path_.empty() && path_.back().node != node.parent) path_.pop_back();
      OpenNode open{slice.node, std::make_shared<PrefixState>()};
      for (int pass = 0; pass < node.passes; ++pass) {
        // The fork shares the parent's blocks.
        open.state->push_back(
            path_.empty()
                ? PassState{KvSequence(&pool_), {}}
                : PassState{(*path_.back().state)[static_cast<std::size_t>(pass)].cache, {}});
      }
      if (!path_.empty()) {
        slice.before = path_.back().state;
        slice.before_slice = slice_of_node[static_cast<std::size_t>(node.parent)];
      }
      path_.push_back(std::move(open));
    } else {
      slice.before = path_.back().state;
    }
    slice.state = path_.back().state;
    slice.begin = node.begin + next_offset_;
    slice.end = std::min(node.end(), slice.begin + max_tokens - taken);
    for (PassState& state : *slice.state) {
      state.cache.append(slice.count(), slice.count());
    }
    taken += slice.count();
    next_offset_ += slice.count();
    slice_of_node[next_node_] = static_cast<int>(slices.size());
    if (slice.end == node.end()) {
      ++next_node_;
      next_offset_ = 0;
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

at::Tensor Prefill::pass_inputs(std::vector<Slice>& slices, int pass) const {
  std::vector<int> tokens;
  for (const Slice& slice : slices) {
    if (slice.passes <= pass) continue;
    const PrefixTree::Node& node = tree_.nodes()[static_cast<std::size_t>(slice.node)];
    const auto part = tree_.tokens(node).subspan(static_cast<std::size_t>(slice.begin - node.begin),
                                                 static_cast<std::size_t>(slice.count()));
    tokens.insert(tokens.end(), part.begin(), part.end());
  }
  const at::Tensor embeddings = model_.embed(tokens);
  if (pass == 0) return model_.plain_inputs(embeddings);

  // The states of the pass before, shifted right by one.
  const at::Tensor previous = at::empty_like(embeddings);
  std::vector<std::uint8_t> plain(tokens.size(), 0);
  std::int64_t row = 0;
  for (const Slice& slice : slices) {
    if (slice.passes <= pass) continue;
    if (slice.before_slice >= 0) {
      previous[row].copy_(slices[static_cast<std::size_t>(slice.before_slice)].states[-1]);
    } else if (slice.before) {
      previous[row].copy_((*slice.before)[static_cast<std::size_t>(pass - 1)].last_state);
    } else {
      previous[row].zero_();
      plain[static_cast<std::size_t>(row)] = 1;  // position 0
    }
    previous.narrow(0, row + 1, slice.count() - 1)
        .copy_(slice.states.narrow(0, 0, slice.count() - 1));
    const std::int64_t held =
        std::clamp<std::int64_t>(plan_.plain_prefix - slice.begin, 0, slice.count());
    std::fill_n(plain.begin() + row, held, std::uint8_t{1});
    row += slice.count();
  }
  if (const auto bos = model_.config().bos_token_id) {
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t] == *bos) plain[t] = 1;
    }
  }
  return model_.fused_inputs(previous, embeddings, plain);
}

void Prefill::run_pass(std::vector<Slice>& slices, int pass) {
  const at::Tensor inputs = pass_inputs(slices, pass);
  std::vector<TokenRun> runs;
  std::int64_t row = 0;
  for (Slice& slice : slices) {
    if (slice.passes <= pass) continue;
    slice.row = row;
    runs.push_back(
        {row, slice.count(), &(*slice.state)[static_cast<std::size_t>(pass)].cache, slice.begin});
    row += slice.count();
  }
  computed_tokens_ += static_cast<std::uint64_t>(row);
  const at::Tensor states = model_.forward(inputs, runs, profile_);
  for (Slice& slice : slices) {
    if (slice.passes <= pass) continue;
    slice.states = states.narrow(0, slice.row, slice.count());
    slice.end_states.push_back(slice.states[-1].clone());
  }
}

void Prefill::step(std::int64_t max_tokens) {
  std::vector<Slice> slices = take_slices(max_tokens);
  int passes = 0;
  for (const Slice& slice : slices) passes = std::max(passes, slice.passes);
  for (int pass = 0; pass < passes; ++pass) {
    {
      const Profile::Timer timer(profile_, EngineStage::kPrefill);
      run_pass(slices, pass);
    }
    for (const Slice& slice : slices) {
      if (slice.passes > pass) {
        plan_.computed({slice.node, slice.begin, slice.end, pass, slice.states});
      }
    }
  }
  // Only now: until here a node's last states were those its slice goes on from.
  for (Slice& slice : slices) {
    for (std::size_t pass = 0; pass < slice.state->size(); ++pass) {
      (*slice.state)[pass].last_state = std::move(slice.end_states[pass]);
      (*slice.state)[pass].cache.drop_expired();
    }
    const PrefixTree::Node& node = tree_.nodes()[static_cast<std::size_t>(slice.node)];
    if (slice.end != node.end()) continue;
    for (const int sequence : node.ends) plan_.ready(sequence, slice.state);
  }
}

}  // namespace fbt
