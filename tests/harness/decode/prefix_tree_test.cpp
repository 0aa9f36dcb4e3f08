#include "harness/decode/prefix_tree.h"

#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fbt {
namespace {

using ::testing::ElementsAre;

// The tokens on the path from the root to the end of `node`.
std::vector<int> path_tokens(const PrefixTree& tree, int node) {
  std::vector<int> tokens;
  for (; node >= 0; node = tree.nodes()[static_cast<std::size_t>(node)].parent) {
    const auto part = tree.tokens(tree.nodes()[static_cast<std::size_t>(node)]);
    tokens.insert(tokens.begin(), part.begin(), part.end());
  }
  return tokens;
}

TEST(PrefixTree, SharesWhatIsCommon) {
  const PrefixTree tree({{{1, 2, 3, 4}, 1}, {{1, 2, 3, 5, 6}, 2}, {{1, 2}, 1}, {{9}, 1}});
  ASSERT_EQ(tree.nodes().size(), 5u);
  // [1 2] - [3] - [4], [5 6]; [9]
  EXPECT_THAT(path_tokens(tree, 0), ElementsAre(1, 2));
  EXPECT_THAT(tree.nodes()[0].ends, ElementsAre(2));
  EXPECT_EQ(tree.nodes()[0].passes, 2);
  EXPECT_THAT(path_tokens(tree, 1), ElementsAre(1, 2, 3));
  EXPECT_TRUE(tree.nodes()[1].ends.empty());
  EXPECT_THAT(path_tokens(tree, 2), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(tree.nodes()[2].passes, 1);
  EXPECT_THAT(path_tokens(tree, 3), ElementsAre(1, 2, 3, 5, 6));
  EXPECT_THAT(path_tokens(tree, 4), ElementsAre(9));
  EXPECT_EQ(tree.asked(), 4u + 2 * 5 + 2 + 1);
  EXPECT_EQ(tree.planned(), 2u * 3 + 1 + 2 * 2 + 1);
  EXPECT_EQ(tree.node_at(1, 1), 0);
  EXPECT_EQ(tree.node_at(1, 2), 1);
  EXPECT_EQ(tree.node_at(1, 4), 3);
}

TEST(PrefixTree, EmptyAndEqualSequences) {
  EXPECT_TRUE(PrefixTree({}).nodes().empty());
  const PrefixTree tree({{{5, 6}, 1}, {{5, 6}, 1}});
  ASSERT_EQ(tree.nodes().size(), 1u);
  EXPECT_THAT(tree.nodes()[0].ends, ElementsAre(0, 1));
}

TEST(PrefixTree, SiblingsFollowTheOrderOfTheRequests) {
  const PrefixTree tree({{{1, 9}, 1}, {{1, 4}, 1}, {{1, 7}, 1}});
  EXPECT_THAT(tree.nodes()[1].ends, ElementsAre(0));
  EXPECT_THAT(tree.nodes()[2].ends, ElementsAre(1));
  EXPECT_THAT(tree.nodes()[3].ends, ElementsAre(2));
}

// Against the slow, obvious count of distinct prefixes.
TEST(PrefixTree, RandomSequences) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<TreeSequence> sequences(1 + random() % 20);
    for (TreeSequence& sequence : sequences) {
      sequence.tokens.resize(1 + random() % 8);
      for (int& token : sequence.tokens) token = static_cast<int>(random() % 2);
      sequence.passes = 1 + static_cast<int>(random() % 3);
    }
    const PrefixTree tree(sequences);
    std::set<std::vector<int>> prefixes;
    for (const TreeSequence& sequence : sequences) {
      for (std::size_t length = 1; length <= sequence.tokens.size(); ++length) {
        prefixes.insert({sequence.tokens.begin(),
                         sequence.tokens.begin() + static_cast<std::ptrdiff_t>(length)});
      }
    }
    std::size_t tokens = 0;
    std::set<int> ended;
    for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
      const PrefixTree::Node& node = tree.nodes()[n];
      ASSERT_LT(node.parent, static_cast<int>(n));
      ASSERT_GT(node.count, 0);
      tokens += static_cast<std::size_t>(node.count);
      if (node.parent >= 0) {
        const PrefixTree::Node& parent = tree.nodes()[static_cast<std::size_t>(node.parent)];
        EXPECT_EQ(parent.end(), node.begin);
        EXPECT_GE(parent.passes, node.passes);
      }
      for (const int end : node.ends) {
        EXPECT_TRUE(ended.insert(end).second);
        EXPECT_EQ(path_tokens(tree, static_cast<int>(n)),
                  sequences[static_cast<std::size_t>(end)].tokens);
        EXPECT_GE(node.passes, sequences[static_cast<std::size_t>(end)].passes);
      }
    }
    EXPECT_EQ(tokens, prefixes.size());
    EXPECT_EQ(ended.size(), sequences.size());
  }
}

}  // namespace
}  // namespace fbt
