#include "results/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

class StoreTest : public ::testing::Test {
 protected:
  fbt::testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "results.sqlite";
};

TEST_F(StoreTest, KeepsWhatWasAppended) {
  Generation generation;
  generation.doc_id = 3;
  generation.temperature = 0.7;
  generation.sample = 2;
  generation.tokens = {1, 100351, 70000};
  generation.trace_length = 3;
  generation.reasoning_length = 2;
  generation.stop_reason = "length";
  generation.text = std::string("a\0b ü", 6);
  generation.random_key = 0xFFFFFFFFFFFFFFFF;
  generation.verdict = Verdict::kUndecided;
  generation.rule = "timeout";
  generation.extracted = "x = 1";
  generation.score = 0.25;
  generation.log_likelihood = -12.5;
  generation.seconds = 0.125;
  {
    Store store(path_, OpenMode::kWrite);
    const RunId run =
        store.get_or_create_run(store.get_or_create_checkpoint(testing::checkpoint("a")),
                                store.get_or_create_plan(testing::code_plan()), 10);
    store.append(run, {{{3, "algebra", "prompt", "target", 11, 4}},
                       {generation},
                       {{3, 1, " b", -2.5, 1, true}},
                       {{3, 0.7, "pass@3", 0.5}}});
  }
  const Store store(path_, OpenMode::kRead);
  ASSERT_THAT(store.runs(), SizeIs(1));
  const RunId run = store.runs()[0].id;

  const auto documents = store.documents(run, true);
  ASSERT_THAT(documents, SizeIs(1));
  EXPECT_EQ(documents[0].doc_id, 3);
  EXPECT_EQ(documents[0].subject, "algebra");
  EXPECT_EQ(documents[0].prompt, "prompt");
  EXPECT_EQ(documents[0].target, "target");
  EXPECT_EQ(documents[0].prompt_tokens, 11);
  EXPECT_EQ(documents[0].cut_tokens, 4);
  EXPECT_EQ(store.documents(run)[0].prompt, "");

  int seen = 0;
  store.for_each_generation(run, [&](const Generation& read) {
    ++seen;
    EXPECT_EQ(read.doc_id, 3);
    EXPECT_EQ(read.temperature, 0.7);
    EXPECT_EQ(read.sample, 2);
    EXPECT_EQ(read.text, generation.text);
    EXPECT_EQ(read.tokens, generation.tokens);
    EXPECT_EQ(read.trace_length, 3);
    EXPECT_EQ(read.reasoning_length, 2);
    EXPECT_EQ(read.stop_reason, "length");
    EXPECT_EQ(read.random_key, generation.random_key);
    EXPECT_EQ(read.verdict, Verdict::kUndecided);
    EXPECT_EQ(read.rule, "timeout");
    EXPECT_EQ(read.extracted, "x = 1");
    EXPECT_EQ(read.score, 0.25);
    EXPECT_EQ(read.log_likelihood, -12.5);
    EXPECT_EQ(read.seconds, 0.125);
  });
  EXPECT_EQ(seen, 1);

  const auto choices = store.choices(run);
  ASSERT_THAT(choices, SizeIs(1));
  EXPECT_EQ(choices[0].choice, 1);
  EXPECT_EQ(choices[0].continuation, " b");
  EXPECT_EQ(choices[0].log_likelihood, -2.5);
  EXPECT_EQ(choices[0].tokens, 1);
  EXPECT_TRUE(choices[0].is_greedy);

  const auto scores = store.scores(run);
  ASSERT_THAT(scores, SizeIs(1));
  EXPECT_EQ(scores[0].temperature, 0.7);
  EXPECT_EQ(scores[0].metric, "pass@3");
  EXPECT_EQ(scores[0].value, 0.5);
}

TEST_F(StoreTest, RunKnowsItsCheckpointPlanAndSessions) {
  Store store(path_, OpenMode::kWrite);
  Checkpoint unknown = testing::checkpoint("zz");
  unknown.train_tokens.reset();
  const RunId id = testing::write_run(store, testing::checkpoint("a", 400e9, "standard", 1.5),
                                      testing::code_plan("fused"), {});
  testing::write_run(store, unknown, testing::greedy_plan(), {});

  const RunRecord run = store.run(id);
  EXPECT_EQ(run.checkpoint.name, "a");
  EXPECT_EQ(run.checkpoint.train_tokens, 400e9);
  EXPECT_EQ(run.checkpoint.average_passes, 1.5);
  EXPECT_EQ(run.checkpoint.family, "standard");
  EXPECT_EQ(run.plan, testing::code_plan("fused"));
  EXPECT_EQ(run.documents_planned, 50);
  EXPECT_EQ(run.documents_done, 50);
  EXPECT_TRUE(run.complete());
  EXPECT_THAT(run.finished_at, HasSubstr("T"));
  ASSERT_THAT(store.sessions(id), SizeIs(1));
  EXPECT_EQ(store.sessions(id)[0].environment.sandbox_tier, "namespace");
  EXPECT_EQ(store.sessions(id)[0].status, "finished");
  EXPECT_EQ(store.sessions(id)[0].counters, R"({"generated_tokens": 1000})");

  ASSERT_THAT(store.runs(), SizeIs(2));
  EXPECT_EQ(store.runs()[0].checkpoint.train_tokens, std::nullopt);
  EXPECT_EQ(store.find_run(run.checkpoint.content_hash, plan_hash(run.plan)), id);
  EXPECT_EQ(store.find_run(run.checkpoint.content_hash, "no such plan"), std::nullopt);
  EXPECT_THAT([&] { store.run(77); }, ThrowsMessage<InputError>(HasSubstr("has no run 77")));
}

TEST_F(StoreTest, SameCheckpointAndPlanAreTheSameRun) {
  Store store(path_, OpenMode::kWrite);
  const auto checkpoint = store.get_or_create_checkpoint(testing::checkpoint("a"));
  Checkpoint renamed = testing::checkpoint("a");
  renamed.name = "better name";
  EXPECT_EQ(store.get_or_create_checkpoint(renamed), checkpoint);
  EXPECT_NE(store.get_or_create_checkpoint(testing::checkpoint("b")), checkpoint);
  const auto plan = store.get_or_create_plan(testing::greedy_plan());
  EXPECT_EQ(store.get_or_create_plan(testing::greedy_plan()), plan);
  EXPECT_NE(store.get_or_create_plan(testing::greedy_plan("soft")), plan);
  const auto run = store.get_or_create_run(checkpoint, plan, 5);
  EXPECT_EQ(store.get_or_create_run(checkpoint, plan, 5), run);
  EXPECT_EQ(store.run(run).checkpoint.name, "better name");
}

TEST_F(StoreTest, AppendingTwiceDoublesNothing) {
  Store store(path_, OpenMode::kWrite);
  const Plan plan = testing::code_plan();
  const RunId run = testing::write_run(store, testing::checkpoint("a"), plan, {});
  testing::Simulation other;
  other.seed = 99;  // other answers: the first stay
  const auto before = store.scores(run);
  for (const Batch& batch : testing::simulate(plan, other)) store.append(run, batch);
  EXPECT_THAT(store.outcomes(run), SizeIs(50 * 3 * 10));
  const auto after = store.scores(run);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].value, before[i].value);
}

TEST_F(StoreTest, BatchIsAllOrNothing) {
  Store store(path_, OpenMode::kWrite);
  const RunId run = testing::write_run(store, testing::checkpoint("a"), testing::greedy_plan(),
                                       {.documents = 2, .stop_before = 0});
  Batch batch = testing::simulate(testing::greedy_plan(), {.documents = 2})[0];
  EXPECT_THROW(store.append(run + 1, batch), Error);  // no such run: the foreign key fails
  EXPECT_THAT(store.documents(run), SizeIs(0));
  store.append(run, batch);
  EXPECT_THAT(store.documents(run), SizeIs(1));
}

TEST_F(StoreTest, FreshStartsOver) {
  Store store(path_, OpenMode::kWrite);
  const Plan plan = testing::greedy_plan();
  const RunId run = testing::write_run(store, testing::checkpoint("a"), plan, {});
  const RunId other = testing::write_run(store, testing::checkpoint("b"), plan, {});
  const auto checkpoint = store.get_or_create_checkpoint(testing::checkpoint("a"));
  const auto plan_id = store.get_or_create_plan(plan);
  EXPECT_EQ(store.get_or_create_run(checkpoint, plan_id, 50, true), run);
  EXPECT_THAT(store.outcomes(run), SizeIs(0));
  EXPECT_THAT(store.scores(run), SizeIs(0));
  EXPECT_THAT(store.documents(run), SizeIs(0));
  EXPECT_THAT(store.sessions(run), SizeIs(0));
  EXPECT_THAT(store.outcomes(other), SizeIs(50));
}

TEST_F(StoreTest, DocumentsAreDoneWhenEveryTemperatureIsScored) {
  Store store(path_, OpenMode::kWrite);
  const RunId run = testing::write_run(store, testing::checkpoint("a"), testing::code_plan(),
                                       {.documents = 4, .stop_before = 2});
  EXPECT_EQ(store.run(run).documents_done, 2);
  EXPECT_FALSE(store.run(run).complete());
  store.append(run, {{}, {}, {}, {{3, 0.3, "pass@3", 1}, {3, 0.5, "pass@3", 1}}});
  EXPECT_EQ(store.run(run).documents_done, 2);
  store.append(run, {{}, {}, {}, {{3, 0.7, "pass@3", 1}}});
  EXPECT_EQ(store.run(run).documents_done, 3);
}

TEST_F(StoreTest, ReplacesVerdictsAtomically) {
  Store store(path_, OpenMode::kWrite);
  const RunId run = testing::write_run(store, testing::checkpoint("a"), testing::greedy_plan(),
                                       {.documents = 2, .right = [](int, double) { return 0; }});
  const VerdictUpdate good{1, 0, 0, 9, Verdict::kRight, "new rule", "42", 1};
  const VerdictUpdate missing{7, 0, 0, 9, Verdict::kRight, "new rule", "42", 1};
  const DocumentScore score{1, 0, "exact_match", 1};
  EXPECT_THAT(([&] {
                store.replace_verdicts(run, std::vector{good, missing}, std::vector{score});
              }),
              ThrowsMessage<InputError>(HasSubstr("no sample 0 of document 7")));
  EXPECT_EQ(store.outcomes(run)[1].verdict, Verdict::kWrong);
  store.replace_verdicts(run, std::vector{good}, std::vector{score});
  EXPECT_EQ(store.outcomes(run)[0].verdict, Verdict::kWrong);
  EXPECT_EQ(store.outcomes(run)[1].verdict, Verdict::kRight);
  EXPECT_EQ(store.outcomes(run)[1].reasoning_length, 9);
  EXPECT_EQ(store.scores(run)[1].value, 1);
}

TEST_F(StoreTest, PromptsAreStoredOnce) {
  Store store(path_, OpenMode::kWrite);
  for (const char* mode : {"standard", "soft", "fused"}) {
    testing::write_run(store, testing::checkpoint("a"), testing::greedy_plan(mode), {});
  }
  for (const RunRecord& run : store.runs()) {
    EXPECT_EQ(store.documents(run.id, true)[7].prompt, "Question 7 of gsm8k?\n");
  }
}

}  // namespace
}  // namespace fbt::results
