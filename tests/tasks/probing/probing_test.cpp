#include <functional>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "base/error.h"
#include "probe_reader.h"
#include "tasks/probing/completion_tracking.h"
#include "tasks/probing/delayed_recall.h"
#include "tasks/probing/registers.h"

namespace fbt::tasks::probing {
namespace {

struct Case {
  ProbeDataset data;
  std::size_t samples;  // published
  int groups;
  int (*label)(std::string_view);
};

std::vector<Case> make_published() {
  std::vector<Case> cases;
  cases.push_back({completion_tracking(), 1600, 80, completion_label});
  cases.push_back({delayed_recall(), 1280, 128, recall_label});
  for (const int m : kRegisterCounts) {
    cases.push_back({registers(m, count_simple_tokens), 3840, 240, register_label});
  }
  for (const int w : kOverwriteCounts) {
    cases.push_back({overwrites(w, count_simple_tokens), 2048, 128, register_label});
  }
  return cases;
}

const std::vector<Case>& published() {
  static const std::vector<Case> cases = make_published();
  return cases;
}

TEST(Probing, SizesAndLabelsAreThePublishedOnes) {
  for (const Case& c : published()) {
    SCOPED_TRACE(c.data.name);
    EXPECT_EQ(c.data.samples.size(), c.samples);
    EXPECT_EQ(c.data.groups, c.groups);
    std::map<int, std::size_t> by_group;
    std::map<int, std::size_t> by_label;
    for (const ProbeSample& sample : c.data.samples) {
      ASSERT_EQ(sample.label, c.label(sample.text)) << sample.text;
      ASSERT_TRUE(sample.text.ends_with(':'));
      ++by_group[sample.group];
      ++by_label[sample.label];
    }
    EXPECT_EQ(by_group.size(), static_cast<std::size_t>(c.groups));
    for (const auto& [group, size] : by_group) {
      EXPECT_EQ(size, c.samples / static_cast<std::size_t>(c.groups)) << group;
    }
    EXPECT_EQ(by_label[0], by_label[1]);
  }
}

// Pairs: other labels, same group and length of delay, and texts that differ in
// one word only.
TEST(Probing, PairsDifferInOneWord) {
  for (const Case& c : published()) {
    SCOPED_TRACE(c.data.name);
    std::map<int, std::vector<const ProbeSample*>> pairs;
    for (const ProbeSample& sample : c.data.samples) pairs[sample.pair].push_back(&sample);
    ASSERT_EQ(pairs.size() * 2, c.samples);
    for (const auto& [id, pair] : pairs) {
      ASSERT_EQ(pair.size(), 2U);
      EXPECT_NE(pair[0]->label, pair[1]->label);
      EXPECT_EQ(pair[0]->group, pair[1]->group);
      EXPECT_EQ(pair[0]->idle, pair[1]->idle);
      const std::string& a = pair[0]->text;
      const std::string& b = pair[1]->text;
      std::size_t front = 0;
      while (a[front] == b[front]) ++front;
      std::size_t back = 0;
      while (back < a.size() - front && back < b.size() - front &&
             a[a.size() - 1 - back] == b[b.size() - 1 - back]) {
        ++back;
      }
      const std::string changed = a.substr(front, a.size() - front - back);
      ASSERT_LE(changed.size(), 12U) << changed;
      ASSERT_EQ(changed.find('\n'), std::string::npos) << changed;
      ASSERT_GT(back, 1U);
    }
  }
}

TEST(Probing, IdleUpdatesFollowTheLastOneThatMatters) {
  std::map<int, int> counts;
  for (const ProbeSample& sample : completion_tracking().samples) {
    ++counts[sample.idle];
    std::size_t idle = 0;
    std::string_view rest = sample.text;
    rest.remove_suffix(std::string_view("all done:").size());
    while (rest.ends_with("idle +0\n")) {
      rest.remove_suffix(std::string_view("idle +0\n").size());
      ++idle;
    }
    ASSERT_GE(idle, static_cast<std::size_t>(sample.idle));
    ASSERT_LE(idle, static_cast<std::size_t>(sample.idle) + 1);
  }
  EXPECT_EQ(counts, (std::map<int, int>{{0, 320}, {8, 320}, {32, 320}, {128, 320}, {256, 320}}));

  for (const ProbeSample& sample : delayed_recall().samples) {
    // The fact's own full stop, and one a sentence.
    ASSERT_EQ(std::count(sample.text.begin(), sample.text.end(), '.'), sample.idle + 1);
  }
}

// What stands idle among the counted updates says nothing about the label.
TEST(Probing, IdleLinesDoNotGiveTheCompletionAway) {
  std::map<std::pair<int, std::size_t>, int> counts;  // (label, idle lines) at no delay
  for (const ProbeSample& sample : completion_tracking({.idle_updates = {0}}).samples) {
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = sample.text.find("idle", at)) != std::string::npos; ++at)
      ++lines;
    ++counts[{sample.label, lines}];
  }
  EXPECT_EQ(counts[std::make_pair(0, 0U)], counts[std::make_pair(1, 0U)]);
  EXPECT_EQ(counts[std::make_pair(0, 1U)], counts[std::make_pair(1, 1U)]);
}

TEST(Probing, RegisterTextsHaveThePublishedTokens) {
  const std::map<std::string, int> expected = {
      {"registers-1", 180},  {"registers-2", 180},  {"registers-4", 180}, {"registers-8", 180},
      {"overwrites-2", 180}, {"overwrites-4", 276}, {"overwrites-8", 468}};
  for (const Case& c : published()) {
    const auto tokens = expected.find(c.data.name);
    if (tokens == expected.end()) continue;
    SCOPED_TRACE(c.data.name);
    EXPECT_EQ(c.data.padded_tokens, tokens->second);
    for (const ProbeSample& sample : c.data.samples) {
      ASSERT_EQ(count_simple_tokens(sample.text), static_cast<std::size_t>(tokens->second));
    }
  }
}

TEST(Probing, EveryRegisterIsQueriedAndWrittenAsOftenAsSaid) {
  const ProbeDataset data = overwrites(4, count_simple_tokens, {.groups = 3});
  std::map<std::string, int> queries;
  for (const ProbeSample& sample : data.samples) {
    ++queries[sample.text.substr(sample.text.find("read "), 6)];
    for (char name = 'a'; name < 'i'; ++name) {
      const std::string write = std::string(" ") + name + " = ";
      int writes = 0;
      for (std::size_t at = 0; (at = sample.text.find(write, at)) != std::string::npos; ++at) {
        ++writes;
      }
      ASSERT_EQ(writes, 4);
    }
  }
  EXPECT_EQ(queries.size(), 8U);
  for (const auto& [query, count] : queries) EXPECT_EQ(count, 6) << query;
}

TEST(Probing, ManyValuesGiveManyClasses) {
  const ProbeDataset data = registers(2, count_simple_tokens, {.groups = 60, .values = 5});
  EXPECT_EQ(data.classes, 5);
  std::set<int> labels;
  for (const ProbeSample& sample : data.samples) {
    ASSERT_EQ(sample.label, register_label(sample.text));
    labels.insert(sample.label);
  }
  EXPECT_EQ(labels, (std::set<int>{0, 1, 2, 3, 4}));
}

// Two tokens a byte: the published lengths are too short, all get the longest's.
TEST(Probing, LongTokenizationsMoveTheTarget) {
  const TokenCounter twos = [](std::string_view text) { return 2 * text.size(); };
  const ProbeDataset data = overwrites(8, twos, {.groups = 2});
  EXPECT_GT(data.padded_tokens, 468);
  for (const ProbeSample& sample : data.samples) {
    ASSERT_EQ(2 * sample.text.size(), static_cast<std::size_t>(data.padded_tokens));
  }
}

TEST(Probing, SeedsGiveOtherTextsAndTheSameOnesAgain) {
  EXPECT_EQ(completion_tracking({.seed = 3}).samples[7].text,
            completion_tracking({.seed = 3}).samples[7].text);
  EXPECT_NE(delayed_recall({.seed = 3}).samples[7].text,
            delayed_recall({.seed = 4}).samples[7].text);
}

TEST(Probing, SaysWhatIsWrongWithTheOptions) {
  const TokenCounter twos = [](std::string_view text) { return 2 * text.size(); };
  const TokenCounter odd = [](std::string_view text) { return text.size() / 3 * 3 + 1; };
  struct Wrong {
    std::function<void()> call;
    const char* message;
  };
  const std::vector<Wrong> cases = {
      {[] { completion_tracking({.groups = -1}); },
       "probe task 'completion': -1 groups; give 1 or more, or 0 for the published 80"},
      {[] { delayed_recall({.idle_updates = {}}); },
       "probe task 'recall': no number of idle updates; give at least one"},
      {[] {
         completion_tracking({.idle_updates = {8, -2}});
       },
       "probe task 'completion': -2 idle updates; give 0 or more"},
      {[&] { registers(3, twos); }, "3 registers; known: 1, 2, 4, 8"},
      {[&] { overwrites(1, twos); }, "1 overwrites; known: 2, 4, 8"},
      {[&] { registers(2, twos, {.values = 11}); },
       "probe task 'registers-2': 11 register values; give 2 to 10"},
      {[&] { registers(1, odd, {.groups = 1}); },
       "probe task 'registers-1': a text of 178 tokens cannot be padded to exactly 180 with this "
       "tokenizer"},
  };
  for (const Wrong& wrong : cases) {
    try {
      wrong.call();
      ADD_FAILURE() << wrong.message;
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), wrong.message);
    }
  }
}

}  // namespace
}  // namespace fbt::tasks::probing
