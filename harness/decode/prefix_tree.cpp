#include "harness/decode/prefix_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fbt {
namespace {

// Sequences [begin, end) of the sorted order that agree up to `depth`.
struct Range {
  std::size_t begin;
  std::size_t end;
  std::int64_t depth;
  int parent;
};

std::int64_t common_length(const std::vector<int>& a, const std::vector<int>& b,
                           std::int64_t from) {
  const auto limit = static_cast<std::int64_t>(std::min(a.size(), b.size()));
  while (from < limit && a[static_cast<std::size_t>(from)] == b[static_cast<std::size_t>(from)]) {
    ++from;
  }
  return from;
}

}  // namespace

PrefixTree::PrefixTree(std::vector<TreeSequence> sequences)
    : sequences_(std::move(sequences)), last_node_(sequences_.size()) {
  std::vector<int> order(sequences_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto tokens_of = [&](int index) -> const std::vector<int>& {
    return sequences_[static_cast<std::size_t>(index)].tokens;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return tokens_of(a) < tokens_of(b); });

  // Pushes the subranges of [begin, end) that differ in the token at `depth`,
  // so that the one with the first sequence is popped first.
  std::vector<Range> open;
  const auto push_groups = [&](std::size_t begin, std::size_t end, std::int64_t depth, int parent) {
    std::vector<std::pair<int, Range>> groups;  // first sequence, range
    for (std::size_t first = begin; first < end;) {
      const int token = tokens_of(order[first])[static_cast<std::size_t>(depth)];
      int earliest = order[first];
      std::size_t last = first;
      while (last < end && tokens_of(order[last])[static_cast<std::size_t>(depth)] == token) {
        earliest = std::min(earliest, order[last++]);
      }
      groups.push_back({earliest, {first, last, depth, parent}});
      first = last;
    }
    std::sort(groups.begin(), groups.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& group : groups) open.push_back(group.second);
  };

  push_groups(0, order.size(), 0, -1);
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    // Sorted: what the first and the last share, all share.
    const std::int64_t end =
        common_length(tokens_of(order[range.begin]), tokens_of(order[range.end - 1]), range.depth);
    const int index = static_cast<int>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.parent = range.parent;
    node.begin = range.depth;
    node.count = end - range.depth;
    node.sequence = order[range.begin];
    std::size_t first_longer = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const TreeSequence& sequence = sequences_[static_cast<std::size_t>(order[i])];
      node.passes = std::max(node.passes, sequence.passes);
      if (static_cast<std::int64_t>(sequence.tokens.size()) == end) {
        node.ends.push_back(order[i]);
        last_node_[static_cast<std::size_t>(order[i])] = index;
        first_longer = i + 1;  // shorter sequences sort first
      }
    }
    planned_ += static_cast<std::uint64_t>(node.count * node.passes);
    push_groups(first_longer, range.end, end, index);
  }
  for (const TreeSequence& sequence : sequences_) {
    asked_ += sequence.tokens.size() * static_cast<std::uint64_t>(sequence.passes);
  }
}

int PrefixTree::node_at(int sequence, std::int64_t position) const {
  int index = last_node_[static_cast<std::size_t>(sequence)];
  while (nodes_[static_cast<std::size_t>(index)].begin > position) {
    index = nodes_[static_cast<std::size_t>(index)].parent;
  }
  return index;
}

}  // namespace fbt
