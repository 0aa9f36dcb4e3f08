#include "harness/decode/prefill.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <ATen/ATen.h>

#include "harness/decode/device/transfer.h"
#include "harness/decode/kernels/kernels.h"
#include "harness/decode/prefix_cache.h"

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
  std::int64_t row = 0;                 // in the latest pass's packed tokens
  std::vector<at::Tensor> end_states;   // the last position's, of every pass so far

  std::int64_t count() const { return end - begin; }
};

Prefill::Prefill(const InferenceModel& model, KvPool& pool, const PrefixTree& tree, Plan plan,
                 Profile& profile)
    : model_(model), pool_(pool), tree_(tree), plan_(std::move(plan)), profile_(profile) {}

// Puts the next node on the path, with as much of it as the cache holds.
void Prefill::open_node() {
  const PrefixTree::Node& node = tree_.nodes()[next_node_];
  while (!path_.empty() && path_.back().node != node.parent) close_node();
  const PrefixState* from = path_.empty() ? nullptr : path_.back().state.get();
  PrefixCache::Found found;
  if (plan_.cache != nullptr) {
    std::int64_t usable = node.end();
    if (plan_.first_needed) {
      usable = std::min(usable, plan_.first_needed(static_cast<int>(next_node_)));
    }
    const std::vector<int>& tokens =
        tree_.sequences()[static_cast<std::size_t>(node.sequence)].tokens;
    found = plan_.cache->find(std::span(tokens).first(static_cast<std::size_t>(usable)),
                              node.passes, node.begin);
  }
  if (found.state) {
    from = found.state.get();
    next_offset_ = found.length - node.begin;
  }
  OpenNode open{static_cast<int>(next_node_), std::make_shared<PrefixState>()};
  for (std::size_t pass = 0; pass < static_cast<std::size_t>(node.passes); ++pass) {
    // The fork shares the blocks of what it goes on from.
    open.state->push_back(from == nullptr
                              ? PassState{KvSequence(&pool_), {}}
                              : PassState{(*from)[pass].cache, (*from)[pass].last_state});
  }
  path_.push_back(std::move(open));
}

// Takes the last node off the path, into the cache where it may be of use again.
void Prefill::close_node() {
  const auto index = static_cast<std::size_t>(path_.back().node);
  const bool is_shared =
      index + 1 < tree_.nodes().size() && tree_.nodes()[index + 1].parent == path_.back().node;
  if (plan_.cache != nullptr && (is_shared || done())) {
    const PrefixTree::Node& node = tree_.nodes()[index];
    const std::vector<int>& tokens =
        tree_.sequences()[static_cast<std::size_t>(node.sequence)].tokens;
    plan_.cache->insert(std::span(tokens).first(static_cast<std::size_t>(node.end())),
                        path_.back().state);
  }
  path_.pop_back();
}

void Prefill::finish_node(const PrefixTree::Node& node,
                          const std::shared_ptr<PrefixState>& state) const {
  for (const int sequence : node.ends) plan_.ready(sequence, state);
}

std::int64_t Prefill::slice_bytes(const PrefixTree::Node& node, std::int64_t tokens) const {
  const std::int64_t slots =
      (tokens + kernels::kSlotAlignment - 1) / kernels::kSlotAlignment * kernels::kSlotAlignment;
  return node.passes * slots *
         (pool_.bytes_per_position(LayerKind::kFull) +
          pool_.bytes_per_position(LayerKind::kSliding));
}

std::int64_t Prefill::step_bytes(std::int64_t max_tokens) const {
  std::int64_t bytes = 0;
  std::int64_t offset = next_offset_;
  for (std::size_t n = next_node_; n < tree_.nodes().size() && max_tokens > 0; ++n, offset = 0) {
    const PrefixTree::Node& node = tree_.nodes()[n];
    const std::int64_t tokens = std::min(node.count - offset, max_tokens);
    bytes += slice_bytes(node, tokens);
    max_tokens -= tokens;
  }
  return bytes;
}

std::vector<Prefill::Slice> Prefill::take_slices(std::int64_t max_tokens, std::int64_t max_bytes) {
  std::vector<Slice> slices;
  std::unordered_map<int, int> slice_of_node;
  std::int64_t taken = 0;
  while (!done() && taken < max_tokens) {
    const PrefixTree::Node& node = tree_.nodes()[next_node_];
    const int index = static_cast<int>(next_node_);
    Slice slice;
    slice.node = index;
    slice.passes = node.passes;
    std::int64_t most = max_tokens - taken;
    const std::int64_t fitting =
        max_bytes / slice_bytes(node, kernels::kSlotAlignment) * kernels::kSlotAlignment;
    if (fitting < most) most = fitting;
    if (most == 0 && !slices.empty()) break;
    if (path_.empty() || path_.back().node != index) {
      open_node();
      if (next_offset_ == 0 && node.parent >= 0) {
        slice.before = path_[path_.size() - 2].state;
        const auto parent = slice_of_node.find(node.parent);
        if (parent != slice_of_node.end()) slice.before_slice = parent->second;
      }
    }
    slice.state = path_.back().state;
    if (next_offset_ > 0) slice.before = slice.state;
    slice.begin = node.begin + next_offset_;
    slice.end = std::min(node.end(), slice.begin + std::max<std::int64_t>(most, 1));
    if (slice.count() == 0) {  // the cache held all of it
      finish_node(node, slice.state);
      ++next_node_;
      next_offset_ = 0;
      continue;
    }
    for (PassState& state : *slice.state) {
      state.cache.append(slice.count(), slice.count());
    }
    taken += slice.count();
    max_bytes -= std::min(max_bytes, slice_bytes(node, slice.count()));
    next_offset_ += slice.count();
    slice_of_node[index] = static_cast<int>(slices.size());
    if (slice.end == node.end()) {
      ++next_node_;
      next_offset_ = 0;
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

// The states of the pass before, shifted right by one: [T,D].
at::Tensor Prefill::previous_states(const std::vector<Slice>& slices, int pass,
                                    const at::Tensor& states) const {
  // What lies outside `states`: zeros for position 0, which nobody reads, and the
  // last states of what slices go on from.
  std::vector<at::Tensor> outside = {at::zeros({states.size(1)}, states.options())};
  std::vector<std::int64_t> rows;
  for (const Slice& slice : slices) {
    if (slice.passes <= pass) continue;
    if (slice.before_slice >= 0) {
      const Slice& before = slices[static_cast<std::size_t>(slice.before_slice)];
      rows.push_back(before.row + before.count() - 1);
    } else if (slice.before) {
      rows.push_back(states.size(0) + static_cast<std::int64_t>(outside.size()));
      outside.push_back((*slice.before)[static_cast<std::size_t>(pass - 1)].last_state);
    } else {
      rows.push_back(states.size(0));
    }
    for (std::int64_t i = 0; i + 1 < slice.count(); ++i) rows.push_back(slice.row + i);
  }
  return at::cat({states, at::stack(outside)})
      .index_select(0, to_device(std::span<const std::int64_t>(rows), model_.device()));
}

at::Tensor Prefill::pass_inputs(const std::vector<Slice>& slices, int pass,
                                const at::Tensor& states) const {
  std::vector<int> tokens;
  std::vector<std::uint8_t> plain;
  for (const Slice& slice : slices) {
    if (slice.passes <= pass) continue;
    const PrefixTree::Node& node = tree_.nodes()[static_cast<std::size_t>(slice.node)];
    const auto part = tree_.tokens(node).subspan(static_cast<std::size_t>(slice.begin - node.begin),
                                                 static_cast<std::size_t>(slice.count()));
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::int64_t position = slice.begin + static_cast<std::int64_t>(i);
      tokens.push_back(part[i]);
      plain.push_back(position == 0 || position < plan_.plain_prefix ||
                      part[i] == model_.config().bos_token_id);
    }
  }
  const at::Tensor embeddings = model_.embed(tokens_to_device(tokens, model_.device()));
  if (pass == 0) return model_.plain_inputs(embeddings);
  return model_.fused_inputs(previous_states(slices, pass, states), embeddings,
                             to_device(std::span<const std::uint8_t>(plain), model_.device()));
}

ComputedPass Prefill::run_pass(std::vector<Slice>& slices, int pass,
                               const at::Tensor& states_before) {
  const at::Tensor inputs = pass_inputs(slices, pass, states_before);
  ComputedPass computed;
  computed.pass = pass;
  std::vector<TokenRun> runs;
  std::vector<std::int64_t> last_rows;
  std::int64_t row = 0;
  for (Slice& slice : slices) {
    if (slice.passes <= pass) continue;
    slice.row = row;
    runs.push_back(
        {row, slice.count(), &(*slice.state)[static_cast<std::size_t>(pass)].cache, slice.begin});
    computed.slices.push_back({slice.node, slice.begin, slice.end, row});
    row += slice.count();
    last_rows.push_back(row - 1);
  }
  computed_tokens_ += static_cast<std::uint64_t>(row);
  computed.states = model_.forward(inputs, runs, profile_);
  const at::Tensor last = computed.states.index_select(
      0, to_device(std::span<const std::int64_t>(last_rows), model_.device()));
  std::int64_t next = 0;
  for (Slice& slice : slices) {
    if (slice.passes > pass) slice.end_states.push_back(last[next++]);
  }
  return computed;
}

void Prefill::step(std::int64_t max_tokens, std::int64_t max_bytes) {
  std::vector<Slice> slices = take_slices(max_tokens, max_bytes);
  int passes = 0;
  for (const Slice& slice : slices) passes = std::max(passes, slice.passes);
  at::Tensor states;
  for (int pass = 0; pass < passes; ++pass) {
    ComputedPass computed;
    {
      const Profile::Timer timer(profile_, EngineStage::kPrefill);
      computed = run_pass(slices, pass, states);
    }
    plan_.computed(computed);
    states = std::move(computed.states);
  }
  // Only now: until here a node's last states were those its slice goes on from.
  for (Slice& slice : slices) {
    for (std::size_t pass = 0; pass < slice.state->size(); ++pass) {
      (*slice.state)[pass].last_state = std::move(slice.end_states[pass]);
      (*slice.state)[pass].cache.drop_expired();
    }
    const PrefixTree::Node& node = tree_.nodes()[static_cast<std::size_t>(slice.node)];
    if (slice.end == node.end()) finish_node(node, slice.state);
  }
  while (done() && !path_.empty()) close_node();
}

}  // namespace fbt
