#include "harness/run/judge.h"

#include <gmock/gmock.h>

#include "harness/run/judged_sample.h"
#include "tests/harness/run/fake_task.h"

namespace fbt::run {
namespace {

using results::Verdict;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using ::testing::StartsWith;

tasks::Reference with_gold(const char* gold) {
  tasks::Reference reference;
  reference.gold = gold;
  return reference;
}

Judgement judged(const tasks::ScorerSpec& scorer, const tasks::Reference& reference,
                 const std::string& text, bool chat = false, sandbox::Pool* pool = nullptr) {
  tasks::Document document;
  document.reference = reference;
  Judgement result;
  Judge(pool).judge(scorer, document, chat, text,
                    [&](Judgement&& judgement) { result = std::move(judgement); });
  if (pool != nullptr) pool->wait();
  return result;
}

TEST(Judge, Gsm8kCountsStrictAndFlexibleApart) {
  const tasks::ScorerSpec scorer{.name = "gsm8k", .pattern = ""};
  const Judgement right = judged(scorer, with_gold("#### 7"), "so 3+4\n#### 7");
  EXPECT_EQ(right.verdict, Verdict::kRight);
  EXPECT_EQ(right.score, 1);
  EXPECT_EQ(right.answer_offset, 7U);
  const Judgement loose = judged(scorer, with_gold("#### 7"), "it is 7");
  EXPECT_EQ(loose.verdict, Verdict::kWrong);
  EXPECT_EQ(loose.other.at("exact_match_flexible"), 1);
}

TEST(Judge, PatternTakesTheLastMatch) {
  struct Case {
    const char* pattern;
    bool ignore_case;
    const char* gold;
    const char* text;
    double score;
    const char* extracted;
  };
  const Case cases[] = {
      {"answer is (\\w+)", false, "B", "answer is A, no: answer is B", 1, "B"},
      {"answer is (\\w+)", false, "B", "answer is b", 0, "b"},
      {"answer is (\\w+)", true, "B", "answer is b", 1, "b"},
      {"\\d+", false, " 42 ", "7 or 42", 1, "42"},
      {"\\d+", false, "42", "none", 0, ""},
      {"x*", false, "", "abc", 1, ""},  // empty matches end
  };
  for (const Case& c : cases) {
    const Judgement result =
        judged({.name = "pattern", .pattern = c.pattern, .ignore_case = c.ignore_case},
               with_gold(c.gold), c.text);
    EXPECT_EQ(result.score, c.score) << c.text;
    EXPECT_EQ(result.extracted, c.extracted) << c.text;
  }
}

TEST(Judge, RunsCode) {
  sandbox::Options options;
  options.workers = 1;
  options.unsafe = true;  // the machine's tier is not what this test is about
  sandbox::Pool pool(options);
  const tasks::ScorerSpec scorer{.name = "mbpp", .pattern = ""};
  tasks::Reference reference;
  reference.test_list = {"assert twice(2) == 4"};
  EXPECT_EQ(judged(scorer, reference, "def twice(x):\n  return 2*x\n", false, &pool).rule,
            "passed");
  const Judgement wrong = judged(scorer, reference, "def twice(x):\n  return x\n", false, &pool);
  EXPECT_EQ(wrong.verdict, Verdict::kWrong);
  EXPECT_THAT(wrong.rule, StartsWith("failed: AssertionError"));
}

std::vector<Judgement> samples(std::initializer_list<double> scores) {
  std::vector<Judgement> list;
  for (const double score : scores) {
    list.emplace_back().score = score;
    list.back().other["exact_match_flexible"] = 1;
  }
  return list;
}

// Pass@2 of 4 samples, 1 right: 1 - C(3,2)/C(4,2) = 1 - 3/6.
TEST(ScoreDocument, HandWorked) {
  const auto scores = score_document(
      3, 0.5, samples({0, 1, 0, 0}),
      {{"exact_match", ""}, {"exact_match_flexible", ""}, {"pass@1", ""}, {"pass@2", ""}});
  std::vector<double> values;
  for (const auto& score : scores) {
    EXPECT_EQ(score.doc_id, 3);
    EXPECT_EQ(score.temperature, 0.5);
    values.push_back(score.value);
  }
  EXPECT_THAT(values, Pointwise(DoubleEq(), {0.25, 1.0, 0.25, 0.5}));
}

TEST(MetricsOf, CodeHasPassAtKAndMathsExactMatch) {
  const auto names = [](const tasks::Task& task, const std::vector<int>& k, bool chat) {
    std::vector<std::string> list;
    for (const results::Metric& metric : metrics_of(task, k, chat)) list.push_back(metric.name);
    return list;
  };
  const auto maths = testing::sums_task(1);
  EXPECT_THAT(names(*maths, {1}, false), ElementsAre("exact_match", "exact_match_flexible"));
  EXPECT_THAT(names(*maths, {1, 4}, true), ElementsAre("exact_match", "pass@4"));
  const testing::FakeTask code("code", tasks::TaskKind::kGeneration, 1,
                               {.name = "humaneval", .pattern = ""}, {}, {"pass@3", "pass@1"});
  EXPECT_THAT(names(code, {1, 3}, false), ElementsAre("pass@1", "pass@3"));
  EXPECT_EQ(primary_metric_of(code, metrics_of(code, {1, 3}, false)), "pass@3");
  EXPECT_EQ(primary_metric_of(code, metrics_of(code, {1, 2}, false)), "pass@2");
}

TEST(ReasoningLength, CountsTokensWhollyBeforeTheAnswer) {
  Completion completion;
  completion.text = "so #### 7";
  completion.text_ends = {2, 3, 7, 8, 9};
  completion.trace_tokens = 5;
  Judgement judgement;
  EXPECT_EQ(reasoning_length(completion, judgement), 5);
  judgement.answer_offset = 3;
  EXPECT_EQ(reasoning_length(completion, judgement), 2);
  judgement.answer_offset = 0;
  EXPECT_EQ(reasoning_length(completion, judgement), 0);
}

}  // namespace
}  // namespace fbt::run
