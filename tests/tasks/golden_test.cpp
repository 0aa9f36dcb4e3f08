// Requests and metrics against lm-eval's own, document by document
// (shared/golden/lm_eval).

#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "base/json_lines.h"
#include "tasks/registry.h"
#include "tests/support/paths.h"

namespace fbt::tasks {
namespace {

using nlohmann::json;

// Tasks load once for all of their files.
std::shared_ptr<const Task> load(const std::string& name) {
  static std::map<std::string, std::shared_ptr<const Task>> loaded;
  auto& task = loaded[name];
  if (!task) {
    Registry registry;
    const DataSource data((testing::shared_dir() / "data").string());
    task = registry.resolve({name}, data).tasks.front();
  }
  return task;
}

json to_json(const Target& target) {
  return std::visit([](const auto& value) { return json(value); }, target);
}

const std::string& text_of(const json& row, const char* field) {
  return row.at(field).get_ref<const std::string&>();
}

void expect_choice_document(const Task& task, const Document& document, const json& golden) {
  const json& requests = golden.at("requests");
  ASSERT_EQ(document.requests.size(), requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    // Not EXPECT_EQ: its message would print the benchmark's texts.
    const auto& [context, continuation] = document.requests[i];
    EXPECT_TRUE(context == text_of(requests[i], "context")) << "context " << i;
    EXPECT_TRUE(continuation == text_of(requests[i], "continuation")) << "continuation " << i;
  }
  const auto log_likelihoods = golden.at("log_likelihoods").get<std::vector<double>>();
  std::map<std::string, double> metrics;
  for (const MetricValue& metric : task.score_choices(document, log_likelihoods)) {
    metrics[metric.name] = metric.value;
  }
  for (const auto& [name, value] : golden.at("metrics").items()) {
    ASSERT_TRUE(metrics.contains(name)) << name;
    EXPECT_NEAR(metrics[name], value.get<double>(), 1e-12) << name;
  }
}

void expect_generation_document(const Document& document, const json& golden) {
  ASSERT_TRUE(document.generation.has_value());
  EXPECT_TRUE(document.generation->context == text_of(golden, "context")) << "context";
  EXPECT_EQ(document.generation->until, golden.at("until").get<std::vector<std::string>>());
  const json& limit = golden.at("max_new_tokens");
  EXPECT_EQ(document.generation->max_new_tokens,
            limit.is_null() ? std::nullopt : std::optional<int>(limit.get<int>()));
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, EqualsLmEval) {
  FBT_REQUIRE_SHARED("golden/lm_eval");
  FBT_REQUIRE_SHARED("data");
  const std::filesystem::path file =
      testing::shared_dir() / "golden" / "lm_eval" / (GetParam() + ".jsonl");
  int documents = 0;
  std::shared_ptr<const PromptSet> prompts;
  for_each_json_line(file, [&](json&& golden, std::size_t) {
    const std::string name = golden.at("task");
    const std::shared_ptr<const Task> task = load(name);
    if (!prompts) prompts = task->prompts({.shots = golden.at("shots").get<int>(), .chat = {}});
    ASSERT_EQ(prompts->document_count(), golden.at("docs").get<int>());
    const int id = golden.at("doc_id");
    SCOPED_TRACE("document " + std::to_string(id));
    const Document document = prompts->document(id);
    EXPECT_EQ(document.id, id);
    if (golden.contains("requests")) {
      expect_choice_document(*task, document, golden);
    } else {
      expect_generation_document(document, golden);
    }
    // lm-eval's MATH targets are its own normalised text, not to be imitated.
    if (name != "minerva_math500") {
      EXPECT_TRUE(to_json(document.target) == golden.at("target")) << "target";
    }
    ++documents;
  });
  EXPECT_GE(documents, 20);
}

INSTANTIATE_TEST_SUITE_P(
    LmEval, Golden,
    ::testing::Values(
        "arc_challenge.0shot", "arc_challenge.5shot", "arc_easy.0shot", "arc_easy.5shot",
        "boolq.0shot", "boolq.5shot", "copa.0shot", "copa.5shot", "gsm8k.0shot", "gsm8k.5shot",
        "gsm8k.8shot", "humaneval.0shot", "mbpp.0shot", "mbpp.3shot", "minerva_math500.0shot",
        "minerva_math500.4shot", "mmlu_abstract_algebra.0shot", "mmlu_abstract_algebra.5shot",
        "mmlu_college_chemistry.0shot", "mmlu_college_chemistry.5shot",
        "mmlu_high_school_us_history.0shot", "mmlu_high_school_us_history.5shot",
        "mmlu_machine_learning.0shot", "mmlu_machine_learning.5shot", "mmlu_miscellaneous.0shot",
        "mmlu_miscellaneous.5shot", "mmlu_moral_scenarios.0shot", "mmlu_moral_scenarios.5shot",
        "mmlu_professional_law.0shot", "mmlu_professional_law.5shot",
        "mmlu_us_foreign_policy.0shot", "mmlu_us_foreign_policy.5shot", "openbookqa.0shot",
        "openbookqa.5shot", "piqa.0shot", "piqa.5shot", "rte.0shot", "rte.5shot",
        "truthfulqa_mc2.0shot", "truthfulqa_mc2.5shot", "winogrande.0shot", "winogrande.5shot"),
    [](const auto& param) {
      std::string name = param.param;
      for (char& c : name) c = c == '.' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace fbt::tasks
