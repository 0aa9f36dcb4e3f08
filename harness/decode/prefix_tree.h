#pragma once

// The plan of a prefill: token sequences as a tree in which every shared prefix
// stands once (a radix tree), its nodes in depth-first order. Whoever computes
// the nodes in that order has each prefix at hand when its continuations come
// and may drop it after the last. Knows nothing of LibTorch.

#include <cstdint>
#include <span>
#include <vector>

namespace fbt {

struct TreeSequence {
  std::vector<int> tokens;  // at least one
  int passes = 1;           // 1 + feedback steps
};

class PrefixTree {
 public:
  struct Node {
    int parent = -1;         // index of the node before it on the path; -1: none
    std::int64_t begin = 0;  // position of its first token
    std::int64_t count = 0;  // tokens, at least one
    int sequence = 0;        // one whose tokens [begin, begin + count) these are
    int passes = 1;          // the most that any sequence through it needs
    std::vector<int> ends;   // sequences whose last token is this node's last

    std::int64_t end() const { return begin + count; }
  };

  // Siblings stand in the order of the first sequence that goes through them.
  explicit PrefixTree(std::vector<TreeSequence> sequences);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<TreeSequence>& sequences() const { return sequences_; }
  std::span<const int> tokens(const Node& node) const {
    return std::span(sequences_[static_cast<std::size_t>(node.sequence)].tokens)
        .subspan(static_cast<std::size_t>(node.begin), static_cast<std::size_t>(node.count));
  }

  // The node that holds `position` of `sequence`.
  int node_at(int sequence, std::int64_t position) const;

  // Tokens times passes, if every sequence were computed alone, and as the tree
  // computes them.
  std::uint64_t asked() const { return asked_; }
  std::uint64_t planned() const { return planned_; }

 private:
  std::vector<TreeSequence> sequences_;
  std::vector<Node> nodes_;
  std::vector<int> last_node_;  // of each sequence
  std::uint64_t asked_ = 0;
  std::uint64_t planned_ = 0;
};

}  // namespace fbt
