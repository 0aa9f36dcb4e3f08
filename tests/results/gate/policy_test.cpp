#include "results/gate/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.h"

namespace fbt::results {
namespace {

using ::testing::HasSubstr;

TEST(GatePolicy, DefaultOneIsWholeAndSensible) {
  const GatePolicy policy = default_policy();
  EXPECT_EQ(policy.level, 0.05);
  EXPECT_EQ(policy.defaults.margin, 0.05);
  EXPECT_EQ(policy.defaults.max_trace_growth, 0.25);
  EXPECT_EQ(policy.defaults.floor, std::nullopt);
  EXPECT_GT(policy.defaults.min_documents, 0);
  EXPECT_TRUE(policy.all_of_baseline);
  EXPECT_EQ(policy.rule_for("gsm8k", "fused"), nullptr);
}

TEST(GatePolicy, RulesTakeWhatTheyDoNotSayFromTheDefaults) {
  const GatePolicy policy = parse_policy(R"({
    "schema": 1, "level": 0.025, "temperature": 0.5, "scope": "listed",
    "defaults": {"margin": 0.02, "max_trace_growth": 0.1, "min_documents": 100},
    "tasks": [
      {"task": "gsm8k", "modes": ["fused"], "floor": 0.6, "margin": 0.01},
      {"task": "gsm8k", "max_trace_growth": null}
    ]})",
                                         "p.json");
  EXPECT_EQ(policy.level, 0.025);
  EXPECT_EQ(policy.temperature.kind, TemperatureChoice::Kind::kFixed);
  EXPECT_FALSE(policy.all_of_baseline);
  const GateRule* fused = policy.rule_for("gsm8k", "fused");
  ASSERT_NE(fused, nullptr);
  EXPECT_EQ(fused->limits.floor, 0.6);
  EXPECT_EQ(fused->limits.margin, 0.01);
  EXPECT_EQ(fused->limits.max_trace_growth, 0.1);
  EXPECT_EQ(fused->limits.min_documents, 100);
  const GateRule* soft = policy.rule_for("gsm8k", "soft");
  ASSERT_NE(soft, nullptr);
  EXPECT_EQ(soft->limits.margin, 0.02);
  EXPECT_EQ(soft->limits.max_trace_growth, std::nullopt);
  EXPECT_EQ(policy.rule_for("mbpp", "fused"), nullptr);
}

TEST(GatePolicy, ErrorsNameFileKeyAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"[1]", "p.json must be a JSON object"},
      {"{", "p.json is not valid JSON"},
      {"{}", "p.json: key 'schema' is missing"},
      {R"({"schema": 2})", "key 'schema' is 2; this program knows 1"},
      {R"({"schema": 1, "levl": 0.1})", "unknown key 'levl'; did you mean level?"},
      {R"({"schema": 1, "level": 0})", "key 'level' is 0; give a number from 0.0001 to 0.5"},
      {R"({"schema": 1, "level": "5%"})", "key 'level' must be a number"},
      {R"({"schema": 1, "power": 1})", "key 'power' is 1; give a number from 0.5 to 0.9999"},
      {R"({"schema": 1, "temperature": "warm"})", "key 'temperature' must be"},
      {R"({"schema": 1, "scope": "some"})", "key 'scope' is 'some'"},
      {R"({"schema": 1, "scope": "listed"})", "key 'tasks' lists none"},
      {R"({"schema": 1, "defaults": {"margin": 2}})",
       "p.json: 'defaults': key 'margin' is 2; give a number from 0 to 1"},
      {R"({"schema": 1, "defaults": {"task": "x"}})", "'defaults': unknown key 'task'"},
      {R"({"schema": 1, "tasks": [{"modes": ["fused"]}]})",
       "p.json: 'tasks' item 1: key 'task' is missing"},
      {R"({"schema": 1, "tasks": [{"task": "a"}, {"task": "b", "margn": 0.1}]})",
       "'tasks' item 2: unknown key 'margn'; did you mean margin?"},
      {R"({"schema": 1, "tasks": [{"task": "a", "modes": "fused"}]})",
       "key 'modes' must be a list of strings"},
      {R"({"schema": 1, "tasks": [{"task": "a", "floor": -0.1}]})", "key 'floor' is -0.1"},
      {R"({"schema": 1, "tasks": [{"task": "a", "min_documents": 1.5}]})",
       "key 'min_documents' must be a whole number"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(fbt::testing::error_of([&] { parse_policy(text, "p.json"); }), HasSubstr(message))
        << text;
  }
  EXPECT_THAT(fbt::testing::error_of([] { read_policy("/no/such/policy.json"); }),
              HasSubstr("/no/such/policy.json"));
}

}  // namespace
}  // namespace fbt::results
