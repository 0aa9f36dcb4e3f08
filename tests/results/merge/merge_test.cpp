#include "results/merge/merge.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "results/store/database.h"
#include "results/store/experiments.h"
#include "results/summary/summary.h"
#include "tests/results/simulate.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;

std::string tables(const std::filesystem::path& path) {
  const Store store(path, OpenMode::kRead);
  std::vector<RunId> ids;
  for (const RunRecord& run : store.runs()) ids.push_back(run.id);
  const Summary summary = summarize(store, ids);
  return render(summary_table(summary, {.subjects = true, .temperatures = true}),
                TableFormat::kTerminal) +
         summary_json(summary);
}

class MergeTest : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }

  RunId write(const std::string& name, const Plan& plan, const testing::Simulation& simulation,
              const Checkpoint& checkpoint = testing::checkpoint("a")) {
    Store store(file(name), OpenMode::kWrite);
    return testing::write_run(store, checkpoint, plan, simulation);
  }

  MergeCounts merge_files(const std::vector<std::string>& names, const MergeOptions& options = {}) {
    std::vector<std::filesystem::path> inputs;
    for (const std::string& name : names) inputs.push_back(file(name));
    return merge(file("all"), inputs, options);
  }

  std::string refusal(const std::vector<std::string>& names) {
    return fbt::testing::error_of([&] { merge_files(names); });
  }

  fbt::testing::TemporaryFolder folder_;
};

TEST_F(MergeTest, ThreeShardsGiveTheUnshardedTable) {
  const std::vector<Plan> plans = {testing::code_plan("fused"), testing::greedy_plan(),
                                   testing::choice_plan("mmlu")};
  testing::Simulation simulation{.documents = 100, .subject = [](int d) {
                                   return d % 4 == 0 ? std::string("law") : std::string("art");
                                 }};
  for (const Plan& plan : plans) write("whole", plan, simulation);
  simulation.shards = 3;
  for (simulation.shard = 0; simulation.shard < 3; ++simulation.shard) {
    // Ids differ from file to file.
    for (std::size_t i = 0; i < plans.size(); ++i) {
      write("shard" + std::to_string(simulation.shard),
            plans[(i + static_cast<std::size_t>(simulation.shard)) % plans.size()], simulation);
    }
  }
  const MergeCounts counts = merge_files({"shard2", "shard0", "shard1"});
  EXPECT_EQ(counts.runs, 3);
  EXPECT_EQ(counts.documents, 300);
  EXPECT_EQ(counts.generations, 100 * 30 + 100);
  EXPECT_EQ(counts.choices, 400);
  EXPECT_EQ(tables(file("all")), tables(file("whole")));

  // Every column of every sample and choice came over.
  const Store whole(file("whole"), OpenMode::kRead);
  const Store all(file("all"), OpenMode::kRead);
  for (const RunRecord& run : whole.runs()) {
    const RunId other = *all.find_run(run.checkpoint.content_hash, plan_hash(run.plan));
    std::vector<std::string> samples[2];
    const auto gather = [](std::vector<std::string>& to) {
      return [&to](const Generation& g) {
        to.push_back(fmt::format(
            "{} {} {} {} {} {} {} {} {} {} {} {} {} {}", g.doc_id, g.temperature, g.sample, g.text,
            g.tokens.size(), g.trace_length, g.reasoning_length, g.stop_reason, g.random_key,
            verdict_name(g.verdict), g.rule, g.extracted, g.log_likelihood, g.seconds));
      };
    };
    whole.for_each_generation(run.id, gather(samples[0]));
    all.for_each_generation(other, gather(samples[1]));
    EXPECT_EQ(samples[0], samples[1]);
    EXPECT_EQ(whole.documents(run.id, true)[5].prompt, all.documents(other, true)[5].prompt);
    EXPECT_THAT(all.sessions(other), SizeIs(3));
  }
}

TEST_F(MergeTest, TwiceIsOnce) {
  write("a", testing::code_plan(), {.documents = 20, .shard = 0, .shards = 2});
  write("b", testing::code_plan(), {.documents = 20, .shard = 1, .shards = 2});
  merge_files({"a", "b"});
  const std::string once = tables(file("all"));
  const MergeCounts again = merge_files({"a", "b", "a"});
  EXPECT_EQ(again.runs + again.documents + again.generations + again.choices, 0);
  EXPECT_EQ(tables(file("all")), once);
  const Store all(file("all"), OpenMode::kRead);
  EXPECT_THAT(all.sessions(all.runs().at(0).id), SizeIs(2));
}

TEST_F(MergeTest, OtherCheckpointsAndTasksStandBesideEachOther) {
  write("a", testing::greedy_plan(), {}, testing::checkpoint("x"));
  write("b", testing::greedy_plan("fused"), {}, testing::checkpoint("x"));
  write("b", testing::greedy_plan(), {}, testing::checkpoint("y"));
  merge_files({"a", "b"});
  EXPECT_THAT(Store(file("all"), OpenMode::kRead).runs(), SizeIs(3));
}

struct Misfit {
  const char* name;
  std::function<void(Plan&, Checkpoint&, testing::Simulation&)> change;
  const char* message;
};

class MergeRefusal : public MergeTest, public ::testing::WithParamInterface<Misfit> {};

TEST_P(MergeRefusal, SaysWhatDiffersAndLeavesNothing) {
  Plan plan = testing::greedy_plan();
  Checkpoint checkpoint = testing::checkpoint("a");
  testing::Simulation simulation{.documents = 20, .shard = 0, .shards = 2};
  write("first", plan, simulation, checkpoint);
  simulation.shard = 1;
  GetParam().change(plan, checkpoint, simulation);
  write("second", plan, simulation, checkpoint);
  const std::string message = refusal({"first", "second"});
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_THAT(message, HasSubstr(file("second").string()));
  EXPECT_FALSE(std::filesystem::exists(file("all")));

  // The same with a target that is there: not one row more.
  merge_files({"first"});
  const std::string before = tables(file("all"));
  EXPECT_THAT(refusal({"second"}), HasSubstr(GetParam().message));
  EXPECT_EQ(tables(file("all")), before);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, MergeRefusal,
    ::testing::Values(
        Misfit{"shots", [](Plan& p, Checkpoint&, testing::Simulation&) { p.shots = 0; },
               "gsm8k standard of a differs in shots (5 and 0)"},
        Misfit{"seed", [](Plan& p, Checkpoint&, testing::Simulation&) { p.seed = 7; }, "seed ("},
        Misfit{"prompts",
               [](Plan& p, Checkpoint&, testing::Simulation&) { p.prompts_hash = "other"; },
               "prompts_hash ("},
        Misfit{"scorer",
               [](Plan& p, Checkpoint&, testing::Simulation&) {
                 p.metrics[0].definition = "strict answer after ####, v2";
               },
               "metrics ("},
        Misfit{"planned", [](Plan&, Checkpoint&, testing::Simulation& s) { s.documents = 30; },
               "plans 20 and 30 documents"},
        Misfit{"version",
               [](Plan&, Checkpoint&, testing::Simulation& s) { s.program_version = "0.2.0"; },
               "scored by fbt-eval 0.1.0 and 0.2.0"},
        Misfit{"tokens", [](Plan&, Checkpoint& c, testing::Simulation&) { c.train_tokens = 400e9; },
               "the checkpoint a differs in train_tokens (200000000000 and 400000000000)"},
        Misfit{"answers",
               [](Plan&, Checkpoint&, testing::Simulation& s) {
                 s.shard = 0;
                 s.seed = 9;
               },
               "with another completion or verdict"}),
    [](const auto& instance) { return instance.param.name; });

TEST_F(MergeTest, FlagsKeepWhatDiffers) {
  Plan zero_shot = testing::greedy_plan();
  zero_shot.shots = 0;
  write("a", testing::greedy_plan(), {.shard = 0, .shards = 2});
  write("b", zero_shot, {});
  write("c", testing::greedy_plan(), {.shard = 1, .shards = 2, .program_version = "0.2.0"});
  merge_files({"a", "b", "c"}, {.several_plans = true, .mixed_versions = true});
  const auto runs = Store(file("all"), OpenMode::kRead).runs();
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_TRUE(runs[0].complete() && runs[1].complete());
}

// Both files hold five-shot and zero-shot runs: nothing to refuse.
TEST_F(MergeTest, SeveralPlansInEveryFileFit) {
  Plan zero_shot = testing::greedy_plan();
  zero_shot.shots = 0;
  for (int shard = 0; shard < 2; ++shard) {
    const std::string name = shard == 0 ? "a" : "b";
    write(name, testing::greedy_plan(), {.shard = shard, .shards = 2});
    write(name, zero_shot, {.shard = shard, .shards = 2});
  }
  merge_files({"a", "b"});
  EXPECT_THAT(Store(file("all"), OpenMode::kRead).runs(), SizeIs(2));
}

TEST_F(MergeTest, FilesThatAreNoneAreRefused) {
  write("a", testing::greedy_plan(), {});
  write_file_atomically(file("b"), "not a database");
  EXPECT_THAT(refusal({"a", "b"}), HasSubstr("is not a results file"));
  EXPECT_THAT(refusal({"a", "c"}), HasSubstr("there are no results in"));
  EXPECT_FALSE(std::filesystem::exists(file("all")));
}

TEST_F(MergeTest, ExperimentsAddUp) {
  const Checkpoint checkpoint = testing::checkpoint("x");
  for (const char* shard : {"a", "b"}) {
    ExperimentStore store(file(shard), OpenMode::kWrite);
    // Ids differ from file to file.
    if (*shard == 'b') store.get_or_create(checkpoint, "other", "{}", 1);
    const ExperimentId id = store.get_or_create(checkpoint, "probe", "{}", 2);
    store.append(id, shard, "1");
  }
  EXPECT_EQ(merge_files({"a", "b", "b"}).experiments, 2);
  ExperimentStore joined(file("all"), OpenMode::kWrite);
  const ExperimentId id = joined.get_or_create(checkpoint, "probe", "{}", 2);
  EXPECT_THAT(joined.items(id), ElementsAre(Pair("a", "1"), Pair("b", "1")));
  EXPECT_EQ(joined.experiments().size(), 2U);
}

// Killed at any moment, the target holds the whole merge or is as it was.
TEST_F(MergeTest, KilledMergeLeavesTheTargetAsItWas) {
  write("all", testing::code_plan(), {.documents = 300, .shard = 0, .shards = 3});
  write("b", testing::code_plan(), {.documents = 300, .shard = 1, .shards = 3});
  write("c", testing::code_plan(), {.documents = 300, .shard = 2, .shards = 3});
  int before = 0;
  for (int delay = 1; delay < 40; delay += 3) {
    const pid_t child = ::fork();
    if (child == 0) {
      merge_files({"b", "c"});
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(
        Database(file("all"), Database::Access::kReadWrite).query_text("PRAGMA integrity_check"),
        "ok");
    const int done = Store(file("all"), OpenMode::kRead).runs().at(0).documents_done;
    EXPECT_TRUE(done == 100 || done == 300) << done;
    before += done == 100;
  }
  EXPECT_GT(before, 0);
  merge_files({"b", "c"});
  EXPECT_TRUE(Store(file("all"), OpenMode::kRead).runs().at(0).complete());
}

}  // namespace
}  // namespace fbt::results
