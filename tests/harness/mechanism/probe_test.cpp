#include "harness/mechanism/probe.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "harness/mechanism/feature_file.h"
#include "harness/mechanism/heat_map.h"
#include "tests/harness/mechanism/experiment_fixture.h"

namespace fbt::mechanism {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ProbeTest : public ExperimentTest {
 protected:
  ProbeTest() {
    settings_.tasks = {"completion"};
    settings_.idle_updates = {0, 8};
    settings_.groups = 12;
    settings_.conditions = probe_conditions({1}, {2}, true);
    settings_.record.database = database();
  }

  ProbeResult run() { return run_probe(settings_, checkpoint_, stream_); }

  ProbeSettings settings_;
};

TEST_F(ProbeTest, ReadsWhatTheResidualStreamHolds) {
  const ProbeResult result = run();
  ASSERT_EQ(result.units.size(), 3U);
  for (const ProbeUnit& unit : result.units) {
    SCOPED_TRACE(unit.condition);
    EXPECT_EQ(unit.samples, 12 * 2 * 2 * 2);
    EXPECT_EQ(unit.chance, 0.5);
    ASSERT_EQ(unit.layers.size(), 3U);
    const double expected = unit.condition == "standard" ? 0.5 : 1.0;
    for (const ProbeScore& score : unit.layers) {
      EXPECT_EQ(score.accuracy, expected);
      EXPECT_THAT(score.by_idle,
                  ElementsAre(::testing::Pair(0, expected), ::testing::Pair(8, expected)));
      EXPECT_NEAR(score.shuffled, 0.5, 0.2);
    }
  }
  // Nothing is left of the features.
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "results.sqlite.features"));
}

TEST_F(ProbeTest, GoesOnWithMoreConditions) {
  run();
  EXPECT_EQ(stream_.residuals_read, 3 * 96);
  settings_.conditions = probe_conditions({1, 2}, {2}, true);
  const ProbeResult more = run();
  EXPECT_EQ(stream_.residuals_read, (3 + 2) * 96);  // suffix-2 goes with everything
  EXPECT_EQ(more.units.size(), 4U);
}

// An interruption keeps what was extracted, and conditions that are asked for
// later catch up with those that have features already.
TEST_F(ProbeTest, GoesOnWhereExtractionWasInterrupted) {
  const ProbeResult whole = run();
  settings_.record.fresh = true;
  settings_.conditions = probe_conditions({}, {2}, true);
  stream_.residuals_read = 0;
  stream_.on_residuals = [] { std::raise(SIGINT); };
  EXPECT_THROW(run(), InterruptedError);
  EXPECT_EQ(stream_.residuals_read, 2 * 64);
  settings_.record.fresh = false;
  settings_.conditions = probe_conditions({1}, {2}, true);
  stream_.on_residuals = [] {};
  const ProbeResult result = run();
  EXPECT_EQ(stream_.residuals_read, 2 * 64 + 2 * 64 + 3 * 32);
  EXPECT_EQ(probe_json(result), probe_json(whole));
}

TEST_F(ProbeTest, ShardsAddUp) {
  settings_.record.shard = {2, 3};
  const ProbeResult part = run();
  ASSERT_EQ(part.units.size(), 1U);
  EXPECT_EQ(part.units[0].condition, "fused-1");
  EXPECT_THAT(part.notes, ElementsAre("1 of 3 cells; join the shards with fbt-eval merge"));
  settings_.record.shard = {1, 1};
  EXPECT_EQ(run().units.size(), 3U);
  // Parts compute in the same batches, cut at the same suffixes, as the whole.
  ASSERT_EQ(stream_.batches.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(stream_.batches[i].sequences, i % 2 == 0 ? 64U : 32U);
    EXPECT_THAT(stream_.batches[i].suffixes, ElementsAre(2));
  }
}

TEST_F(ProbeTest, LeavesOutWhatDoesNotFit) {
  stream_.context = 300;
  settings_.idle_updates = {0, 256};
  const ProbeResult result = run();
  EXPECT_EQ(result.units[0].samples, 12 * 2 * 2);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_THAT(result.notes[0], HasSubstr("left out at 256 idle updates"));
  stream_.context = 20;
  settings_.record.fresh = true;
  EXPECT_THROW(run(), InputError);
}

TEST_F(ProbeTest, WithoutFeedbackOnlyStandard) {
  stream_.feedback = false;
  settings_.conditions = probe_conditions({1}, {1, 2}, false);
  const ProbeResult result = run();
  ASSERT_EQ(result.units.size(), 1U);
  EXPECT_EQ(result.units[0].condition, "standard");
  EXPECT_THAT(result.notes[0], HasSubstr("standard condition only"));
}

TEST_F(ProbeTest, Displays) {
  const ProbeResult result = run();
  const std::string table = render(probe_tables(result)[0], results::TableFormat::kMarkdown);
  EXPECT_THAT(table, HasSubstr("100.0 [100.0, 100.0]"));
  EXPECT_THAT(table, HasSubstr("96 samples in 12 groups, chance 50.0 %"));
  EXPECT_THAT(probe_heat_map_text(result), HasSubstr("50.0 ··"));
  EXPECT_THAT(probe_heat_map_text(result), HasSubstr("100.0 ██"));
  EXPECT_THAT(probe_heat_map_svg(result), HasSubstr("<svg xmlns"));
  const nlohmann::json json = probe_json(result);
  EXPECT_EQ(json.at("units").size(), 3U);
  EXPECT_EQ(json.at("units")[1].at("layers")[0].at("accuracy"), 1.0);
}

TEST_F(ProbeTest, RefusesBeforeAnythingIsComputed) {
  const auto message = [&] {
    try {
      run();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  settings_.groups = 3;
  EXPECT_EQ(message(),
            "probe task 'completion': 3 groups are too few for 4 folds and 3 inner ones; give "
            "more --groups");
  settings_.groups = 4;  // three groups are left to train on, one for each inner fold
  settings_.conditions = probe_conditions({}, {1, 5000}, true);
  EXPECT_THAT(message(), HasSubstr("too few for --suffix 5000; give a shorter suffix"));
  EXPECT_EQ(stream_.residuals_read, 0);
  settings_.conditions = probe_conditions({}, {1}, true);
  EXPECT_EQ(message(), "none");
}

TEST(ProbeTasks, UnknownOnesAreNamed) {
  EXPECT_THAT(probe_tasks(),
              ElementsAre("completion", "recall", "registers-1", "registers-2", "registers-4",
                          "registers-8", "overwrites-2", "overwrites-4", "overwrites-8"));
  fbt::testing::TemporaryFolder folder;
  FakeStream stream;
  ProbeSettings settings;
  settings.tasks = {"recal"};
  settings.record.database = folder.path() / "r.sqlite";
  try {
    run_probe(settings, {}, stream);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown probe task 'recal'; did you mean recall?");
  }
  EXPECT_THROW(probe_conditions({0}, {}, true), InputError);
}

TEST(FeatureFile, GoesOnAfterATornBatch) {
  fbt::testing::TemporaryFolder folder;
  const auto path = folder.path() / "f" / "x.f32";
  {
    FeatureFile file(path, 2, 3, 2);
    file.append(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  }
  std::ofstream(path, std::ios::app) << "a row of six values, then torn";
  FeatureFile file(path, 2, 3, 2);
  EXPECT_EQ(file.rows(), 2U);
  file.append(std::vector<float>{13, 14, 15, 16, 17, 18});
  EXPECT_THAT(file.layer(0), ElementsAre(1, 2, 3, 7, 8, 9, 13, 14, 15));
  EXPECT_THAT(file.layer(1), ElementsAre(4, 5, 6, 10, 11, 12, 16, 17, 18));
  file.remove();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "f"));
}

TEST(FeatureFile, SaysWhereItCannotWrite) {
  EXPECT_THROW(FeatureFile("/proc/no/such/x.f32", 1, 1, 1).append(std::vector<float>{1}),
               EnvironmentError);
}

TEST(HeatMap, ShadesBetweenLowAndHigh) {
  const HeatMap map{"m & <n>", {"a"}, {"x", "y", "z"}, {0.5, 0.75, std::nan("")}, 0.5, 1};
  EXPECT_EQ(heat_map_text(map),
            "m & <n>\n                     x           y           z\n"
            "         a     50.0 ··     75.0 ▒▒           -\n");
  const std::string svg = heat_maps_svg({&map, 1});
  EXPECT_THAT(svg, HasSubstr("m &amp; &lt;n>"));
  EXPECT_THAT(svg, HasSubstr("fill=\"#ffffff\""));  // low is white
  EXPECT_THAT(svg, HasSubstr("fill=\"#8498b5\""));  // half way to #08306b
}

}  // namespace
}  // namespace fbt::mechanism
