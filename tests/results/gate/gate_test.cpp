#include "results/gate/gate.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/gate/output.h"
#include "tests/results/simulate.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class GateTest : public ::testing::Test {
 protected:
  struct Shape {
    int documents = 1000;
    double skill = 0.6;
    double trace_length = 100;
    int stop_before = -1;
  };

  // Most documents are right or wrong by themselves; a tenth is a coin, so that
  // two runs of equal skill differ on few documents, as real ones do.
  void add(const std::string& side, const Plan& plan, const Shape& shape) {
    Store store(folder_.path() / (side + ".sqlite"), OpenMode::kWrite);
    testing::write_run(store, testing::checkpoint(side), plan,
                       {.documents = shape.documents,
                        .seed = side == "base" ? 1u : 2u,
                        .right =
                            [&](int d, double) {
                              const double rank = (d * 37 % 1000) / 1000.0;
                              if (rank < shape.skill - 0.05) return 1.0;
                              return rank < shape.skill + 0.05 ? 0.5 : 0.0;
                            },
                        .trace_length = shape.trace_length,
                        .stop_before = shape.stop_before});
  }

  std::vector<RunData> load(const std::string& side) {
    const Store store(folder_.path() / (side + ".sqlite"), OpenMode::kRead);
    std::vector<RunData> runs;
    for (const RunRecord& run : store.runs()) runs.push_back(load_run(store, run));
    return runs;
  }

  GateReport gate(const GatePolicy& policy = default_policy()) {
    return run_gate(load("base"), load("new"), policy);
  }

  // The policy that lists just this.
  static GatePolicy listing(const std::string& rule) {
    return parse_policy(
        R"({"schema": 1, "scope": "listed", "defaults": {"margin": 0.05}, "tasks": [)" + rule +
            "]}",
        "p.json");
  }

  fbt::testing::TemporaryFolder folder_;
};

TEST_F(GateTest, EqualCandidatePasses) {
  for (const char* mode : {"standard", "fused"}) {
    add("base", testing::greedy_plan(mode), {});
    add("new", testing::greedy_plan(mode), {});
  }
  const GateReport report = gate();
  EXPECT_EQ(report.status, GateStatus::kPass);
  EXPECT_EQ(gate_exit_status(report.status), ExitStatus::kDone);
  EXPECT_THAT(gate_reasons(report), IsEmpty());
  ASSERT_THAT(report.cells, SizeIs(2));
  EXPECT_EQ(report.cells[0].mode, "standard");
  EXPECT_EQ(report.cells[1].mode, "fused");
  EXPECT_THAT(report.cells[0].checks, SizeIs(2));  // score and trace length
  EXPECT_GT(report.cells[0].checks[0].power, 0.99);
  EXPECT_LT(report.cells[0].checks[0].detectable, 0.05);
}

TEST_F(GateTest, WorseCandidateFails) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {.skill = 0.5});
  const GateReport report = gate();
  EXPECT_EQ(report.status, GateStatus::kFail);
  EXPECT_EQ(gate_exit_status(report.status), ExitStatus::kGateFailed);
  EXPECT_THAT(gate_reasons(report),
              ElementsAre(AllOf(HasSubstr("gsm8k standard: score -"), HasSubstr("after Holm"))));
}

// A loss within the margin is no failure, however sure it is.
TEST_F(GateTest, SmallSureLossIsWithinTheMargin) {
  add("base", testing::greedy_plan(), {.documents = 20000});
  add("new", testing::greedy_plan(), {.documents = 20000, .skill = 0.58});
  const GateReport report = gate();
  EXPECT_LT(report.cells[0].checks[0].p_worse, 1e-3);
  EXPECT_EQ(report.status, GateStatus::kPass);
}

TEST_F(GateTest, LongerTracesFail) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {.trace_length = 140});
  const GateReport report = gate();
  EXPECT_EQ(report.status, GateStatus::kFail);
  EXPECT_THAT(gate_reasons(report), ElementsAre(HasSubstr("trace length +")));
}

TEST_F(GateTest, FloorIsOfTheFigureItself) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {});
  EXPECT_EQ(gate(listing(R"({"task": "gsm8k", "floor": 0.5})")).status, GateStatus::kPass);
  const GateReport report = gate(listing(R"({"task": "gsm8k", "floor": 0.7})"));
  EXPECT_EQ(report.status, GateStatus::kFail);
  EXPECT_THAT(gate_reasons(report), ElementsAre(HasSubstr("below the floor of 70.00")));
}

// A floor alone needs no baseline run.
TEST_F(GateTest, FloorWithoutComparison) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan("fused"), {});
  const GatePolicy policy =
      listing(R"({"task": "gsm8k", "modes": ["fused"], "floor": 0.5, "margin": null})");
  EXPECT_EQ(gate(policy).status, GateStatus::kPass);
}

TEST_F(GateTest, CandidatesModeAgainstAnotherOfTheBaseline) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan("fused"), {});
  const GatePolicy policy =
      listing(R"({"task": "gsm8k", "modes": ["fused"], "baseline_mode": "standard"})");
  EXPECT_EQ(gate(policy).status, GateStatus::kPass);
}

struct Broken {
  const char* name;
  std::function<void(Plan& plan, int& documents, int& stop_before)> change;
  const char* reason;
};

class GateInvalid : public GateTest, public ::testing::WithParamInterface<Broken> {};

TEST_P(GateInvalid, IsExitStatusTwoWithTheReason) {
  Plan plan = testing::greedy_plan();
  add("base", plan, {});
  Shape shape;
  GetParam().change(plan, shape.documents, shape.stop_before);
  add("new", plan, shape);
  const GateReport report = gate();
  EXPECT_EQ(report.status, GateStatus::kInvalid);
  EXPECT_EQ(gate_exit_status(report.status), ExitStatus::kBadInput);
  EXPECT_THAT(gate_reasons(report), Contains(HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GateInvalid,
    ::testing::Values(
        Broken{"incomplete", [](Plan&, int&, int& stop) { stop = 999; },
               "the candidate's run is incomplete (999 of 1000 documents)"},
        Broken{"empty", [](Plan&, int&, int& stop) { stop = 0; }, "(0 of 1000 documents)"},
        Broken{"missing", [](Plan& p, int&, int&) { p.mode = "soft"; },
               "gsm8k standard: the candidate has no run in mode standard"},
        Broken{"small",
               [](Plan& p, int& documents, int&) {
                 p.limit = 20;
                 documents = 20;
               },
               "the candidate's run is too small: 20 documents, the policy asks for 50"},
        Broken{"limit",
               [](Plan& p, int& documents, int&) {
                 p.limit = 500;
                 documents = 500;
               },
               "the runs do not match: they differ in limit (none and 500)"},
        Broken{"shots", [](Plan& p, int&, int&) { p.shots = 0; }, "shots (5 and 0)"},
        Broken{"prompts", [](Plan& p, int&, int&) { p.prompts_hash = "x"; }, "prompts_hash ("},
        Broken{"data", [](Plan& p, int&, int&) { p.data_hash = "x"; }, "data_hash ("},
        Broken{"scorer", [](Plan& p, int&, int&) { p.metrics[0].definition = "v2"; }, "metrics ("},
        Broken{"chat", [](Plan& p, int&, int&) { p.chat_format = "chatml"; }, "chat_format ("},
        Broken{"temperature", [](Plan& p, int&, int&) { p.temperatures = {0.7}; },
               "temperatures ("},
        Broken{"tokens", [](Plan& p, int&, int&) { p.max_new_tokens = 32; },
               "max_new_tokens (256 and 32)"},
        Broken{"documents", [](Plan&, int& documents, int&) { documents = 900; },
               "they hold different documents"}),
    [](const auto& instance) { return instance.param.name; });

TEST_F(GateTest, DeviceSettingsMayDiffer) {
  add("base", testing::greedy_plan(), {});
  Plan plan = testing::greedy_plan();
  plan.dtype = "bfloat16";
  plan.seed = 99;
  add("new", plan, {});
  EXPECT_EQ(gate().status, GateStatus::kPass);
}

TEST_F(GateTest, ListedTaskThatNobodyRanIsInvalid) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {});
  const GateReport report = gate(listing(R"({"task": "mbpp"}, {"task": "gsm8k"})"));
  EXPECT_EQ(report.status, GateStatus::kInvalid);
  EXPECT_THAT(gate_reasons(report), Each(HasSubstr("mbpp standard: the")));
}

// Equal, but with too few documents to say so within a narrow margin.
TEST_F(GateTest, TooFewDocumentsAreUndecided) {
  add("base", testing::greedy_plan(), {.documents = 100});
  add("new", testing::greedy_plan(), {.documents = 100});
  const GateReport report = gate(listing(R"({"task": "gsm8k", "margin": 0.005})"));
  EXPECT_EQ(report.status, GateStatus::kUndecided);
  EXPECT_EQ(gate_exit_status(report.status), ExitStatus::kBadInput);
  EXPECT_THAT(gate_reasons(report),
              ElementsAre(AllOf(HasSubstr("100 documents are too few"), HasSubstr("would do"))));
}

TEST_F(GateTest, SamplesWithoutVerdictAreInvalid) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {});
  std::vector<RunData> candidate = load("new");
  for (int i = 0; i < 20; ++i) candidate[0].samples[0][i].verdict = Verdict::kUndecided;
  const GateReport report = run_gate(load("base"), candidate, default_policy());
  EXPECT_EQ(report.status, GateStatus::kInvalid);
  EXPECT_THAT(gate_reasons(report), ElementsAre(HasSubstr("2.0 % of the candidate's samples")));
}

// An incomplete run hides no failure, but what it shows is not a verdict.
TEST_F(GateTest, ProblemsGoBeforeFailures) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {.skill = 0.4});
  add("base", testing::choice_plan(), {});
  add("new", testing::choice_plan(), {.stop_before = 500});
  const GateReport report = gate();
  EXPECT_EQ(report.status, GateStatus::kInvalid);
  EXPECT_THAT(gate_reasons(report), SizeIs(2));
}

TEST_F(GateTest, PolicyWithoutLimitsIsRefused) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {});
  EXPECT_THAT(fbt::testing::error_of([&] { gate(parse_policy(R"({"schema": 1})", "p.json")); }),
              HasSubstr("nothing would be gated"));
}

TEST_F(GateTest, OutputsSayTheSame) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {.skill = 0.5});
  add("base", testing::choice_plan(), {});
  const GateReport report = gate();
  EXPECT_THAT(gate_text(report),
              AllOf(HasSubstr("INVALID: new (candidate) against base (baseline), policy default"),
                    HasSubstr("gsm8k"), HasSubstr("the candidate has no run"),
                    HasSubstr("probability that an equal candidate passes")));
  EXPECT_THAT(gate_markdown(report),
              AllOf(HasSubstr("### Gate: INVALID"), HasSubstr("| task | mode |"),
                    HasSubstr("- arc_easy standard: the candidate has no run")));
  const std::string junit = gate_junit(report);
  EXPECT_THAT(junit, AllOf(HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\""),
                           HasSubstr("classname=\"gate.gsm8k.standard\" name=\"score\""),
                           HasSubstr("<failure message=\"score -"),
                           HasSubstr("<error message=\"the candidate has no run")));
  const auto json = nlohmann::json::parse(gate_json(report));
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("verdict"), "invalid");
  EXPECT_EQ(json.at("exit_status"), 2);
  EXPECT_EQ(json.at("cells").at(1).at("checks").at(0).at("verdict"), "fail");
  EXPECT_EQ(json.at("reasons").size(), 2u);
}

TEST_F(GateTest, JunitEscapesNames) {
  add("base", testing::greedy_plan(), {});
  add("new", testing::greedy_plan(), {});
  std::vector<RunData> candidate = load("new");
  candidate[0].run.checkpoint.name = "a<b>&\"c\"\x01";
  const std::string junit = gate_junit(run_gate(load("base"), candidate, default_policy()));
  EXPECT_THAT(junit, HasSubstr("name=\"a&lt;b&gt;&amp;&quot;c&quot; against base\""));
}

}  // namespace
}  // namespace fbt::results
