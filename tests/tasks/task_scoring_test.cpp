// How each multiple-choice task scores hand-made log-likelihoods: one made-up row
// in the release's format, so that the right choice, the choices' lengths and the
// primary metric come through the task's own definition.

#include <cmath>
#include <map>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tasks/registry.h"
#include "tests/support/paths.h"

namespace fbt::tasks {
namespace {

struct Scored {
  std::vector<double> log_likelihoods;
  std::vector<double> metrics;  // in the definition's order
};

struct Case {
  std::string task;
  std::map<std::string, std::string> files;  // under the data folder
  std::vector<std::string> metrics;
  std::vector<Scored> scored;
};

const std::string kArcRow =
    R"({"id": "1", "question": {"stem": "Which is hot?", "choices": [)"
    R"({"text": "ice", "label": "A"}, {"text": "a burning log", "label": "B"}, )"
    R"({"text": "snow", "label": "C"}]}, "answerKey": "B"})";
// The same with an umlaut: "Glüh" has four code points and five bytes.
const std::string kUmlautRow =
    R"({"id": "1", "question": {"stem": "Which is it?", "choices": [)"
    R"({"text": "Glüh", "label": "1"}, {"text": "warms", "label": "2"}]}, "answerKey": "1"})";

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"rte",
       {{"rte/glue/dev.tsv",
         "index\tsentence1\tsentence2\tlabel\n0\tIt rains.\tIt is wet.\tnot_entailment\n"},
        {"rte/glue/train.tsv", "index\tsentence1\tsentence2\tlabel\n"}},
       {"acc"},
       {{{-2, -1}, {1}}, {{-1, -2}, {0}}, {{-1, -1}, {0}}}},
      {"truthfulqa_mc2",
       {{"truthfulqa/mc_task.json",
         R"([{"question": "Why?", "mc1_targets": {}, "mc2_targets": {"a": 1, "b": 1, "c": 0}}])"},
        {"truthfulqa/primer.txt", "Q: Who?\nA: I."}},
       {"acc"},
       {{{std::log(0.1), std::log(0.2), std::log(0.1)}, {0.75}},
        {{std::log(0.5), std::log(0.5), -INFINITY}, {1}},
        {{-1000, -1000, -1000}, {2.0 / 3}}}},
      // Thirteen, three and four code points: -13/13 = -1, -3.5/3 = -1.17, -4.4/4 = -1.1.
      {"arc_easy",
       {{"arc_easy/ARC-Easy-Test.jsonl", kArcRow}, {"arc_easy/ARC-Easy-Train.jsonl", ""}},
       {"acc_norm", "acc", "acc_bytes"},
       {{{-3.5, -13, -4.4}, {1, 0, 1}}, {{-5, -4, -6}, {1, 1, 1}}, {{-2.9, -13, -9}, {0, 0, 0}}}},
      // By code points -4.4/4 = -1.1 against -5.25/5 = -1.05, by bytes -4.4/5 = -0.88.
      {"arc_challenge",
       {{"arc_challenge/ARC-Challenge-Test.jsonl", kUmlautRow},
        {"arc_challenge/ARC-Challenge-Train.jsonl", ""}},
       {"acc_norm", "acc", "acc_bytes"},
       {{{-4.4, -5.25}, {0, 1, 1}}, {{-4, -5}, {1, 1, 1}}}},
      {"boolq",
       {{"boolq/val.jsonl", R"({"question": "is it", "passage": "P.", "idx": 0, "label": true})"},
        {"boolq/train.jsonl", ""}},
       {"acc"},
       {{{-2, -1}, {1}}, {{-1, -2}, {0}}}},
      // Five and ten code points.
      {"piqa",
       {{"piqa/valid.jsonl", R"({"goal": "Cool it", "sol1": "Blow.", "sol2": "Boil twice"})"},
        {"piqa/valid-labels.lst", "1\n"},
        {"piqa/train.jsonl", ""},
        {"piqa/train-labels.lst", ""}},
       {"acc_norm", "acc", "acc_bytes"},
       {{{-6, -9}, {1, 0, 1}}, {{-1, -9}, {0, 0, 0}}}},
      // The choices stand in the context, so their lengths do not matter.
      {"winogrande",
       {{"winogrande/dev.jsonl",
         R"({"qID": "1", "sentence": "Al beat Barbara as _ was quick.", "option1": "Al", )"
         R"("option2": "Barbara", "answer": "1"})"},
        {"winogrande/train_xl.jsonl", ""}},
       {"acc"},
       {{{-3, -4}, {1}}, {{-4, -3}, {0}}, {{-3, -3}, {1}}}},
      {"openbookqa",
       {{"openbookqa/test.jsonl", kArcRow}, {"openbookqa/train.jsonl", ""}},
       {"acc_norm", "acc", "acc_bytes"},
       {{{-3.5, -13, -4.4}, {1, 0, 1}}, {{-1, -20, -1}, {0, 0, 0}}}},
      {"copa",
       {{"copa/val.jsonl",
         R"({"premise": "It fell.", "choice1": "It broke.", "choice2": "It flew.", )"
         R"("question": "effect", "label": 0, "idx": 0})"},
        {"copa/train.jsonl", ""}},
       {"acc"},
       {{{-7, -8}, {1}}, {{-8, -7}, {0}}}},
      {"mmlu_anatomy",
       {{"mmlu/test/anatomy_test.csv", "\"Which, then?\",one,two,three,four,C\n"},
        {"mmlu/dev/anatomy_dev.csv", ""}},
       {"acc"},
       {{{-9, -8, -1, -7}, {1}}, {{-1, -8, -9, -7}, {0}}, {{-2, -2, -2, -2}, {0}}}},
  };
  return kCases;
}

TEST(TaskScoring, OfHandMadeLogLikelihoods) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.task);
    const testing::TemporaryFolder folder;
    for (const auto& [name, content] : c.files) {
      const std::filesystem::path path = folder.path() / name;
      std::filesystem::create_directories(path.parent_path());
      write_file_atomically(path, content);
    }
    Registry registry;
    const auto task = registry.resolve({c.task}, DataSource(folder.path().string())).tasks.front();
    const Document document = task->prompts({.shots = 0, .chat = {}})->document(0);
    for (const Scored& scored : c.scored) {
      ASSERT_EQ(document.requests.size(), scored.log_likelihoods.size());
      std::vector<std::string> names;
      std::vector<double> values;
      for (const auto& metric : task->score_choices(document, scored.log_likelihoods)) {
        names.push_back(metric.name);
        values.push_back(metric.value);
      }
      EXPECT_EQ(names, c.metrics);
      ASSERT_EQ(values.size(), scored.metrics.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(values[i], scored.metrics[i], 1e-12) << names[i];
      }
    }
  }
}

}  // namespace
}  // namespace fbt::tasks
