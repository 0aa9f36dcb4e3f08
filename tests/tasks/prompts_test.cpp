// Prompt sets: few-shot draws, chat, hashes, and what must not depend on order.

#include <algorithm>
#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tasks/registry.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::shared_ptr<const Task> sample_task(const std::string& name) {
  return Registry().resolve({name}, DataSource("samples")).tasks.front();
}

PromptOptions with_shots(int shots) {
  return {.shots = shots, .chat = {}};
}

// A task made up for the test, in a folder of its own.
class OwnTask {
 public:
  OwnTask(const std::string& definition, const std::string& rows) {
    write_file_atomically(folder_.path() / "rows.jsonl", rows);
    write_file_atomically(folder_.path() / "own.json", definition);
  }
  std::shared_ptr<const Task> load() const {
    return Registry()
        .resolve({(folder_.path() / "own.json").string()}, DataSource("samples"))
        .tasks.front();
  }

 private:
  testing::TemporaryFolder folder_;
};

constexpr const char* kOwnChoice = R"({"schema": 1, "name": "own", "title": "Own",
  "kind": "multiple_choice", "documents": {"file": "./rows.jsonl"},
  "few_shot": {"file": "./rows.jsonl", "shots": 2, "extra": 1},
  "prompt": "Q{{n}}", "choices": ["{{a}}", "{{b}}", "{{c}}"], "target": {"index": "{{right}}"},
  "metrics": ["acc", "acc_norm", "acc_bytes"]})";

std::string own_rows(int count) {
  std::string rows;
  for (int i = 0; i < count; ++i) {
    rows += "{\"n\": " + std::to_string(i) + ", \"a\": \"x\", \"b\": \"yy" +
            std::string(static_cast<std::size_t>(i % 5), 'y') +
            "\", \"c\": \"z\xC3\xA9\", \"right\": " + std::to_string(i % 3) + "}\n";
  }
  return rows;
}

TEST(Prompts, OfADocumentDoNotDependOnWhichOthersAreTaken) {
  const auto task = sample_task("gsm8k");
  const auto prompts = task->prompts(with_shots(3));
  std::vector<std::string> forward;
  for (int i = 0; i < prompts->document_count(); ++i) {
    forward.push_back(prompts->document(i).generation->context);
  }
  // Backwards, and from a prompt set of its own for each document.
  for (int i = prompts->document_count() - 1; i >= 0; --i) {
    EXPECT_EQ(prompts->document(i).generation->context, forward[static_cast<std::size_t>(i)]);
    EXPECT_EQ(task->prompts(with_shots(3))->document(i).generation->context,
              forward[static_cast<std::size_t>(i)]);
  }
}

TEST(Prompts, NeverShowTheDocumentItselfWhereOneMoreIsDrawn) {
  const OwnTask own(kOwnChoice, own_rows(6));
  const auto prompts = own.load()->prompts(with_shots(5));
  for (int i = 0; i < 6; ++i) {
    const std::string context = prompts->document(i).requests[0].context;
    const std::string question = "Q" + std::to_string(i);
    EXPECT_THAT(context, EndsWith("\n\n" + question));
    EXPECT_EQ(context.find(question), context.size() - question.size()) << context;
  }
}

TEST(Prompts, AreRefusedWhereTheExamplesDoNotSuffice) {
  const OwnTask own(kOwnChoice, own_rows(6));
  EXPECT_THROW(own.load()->prompts(with_shots(6)), InputError);
  EXPECT_THAT(testing::error_of([] { sample_task("mbpp")->prompts(with_shots(4)); }),
              HasSubstr("samples:mbpp/mbpp.jsonl holds 3"));
}

TEST(Prompts, HashesTellQuestionsApart) {
  const auto task = sample_task("gsm8k");
  const std::string hash = task->prompts(with_shots(0))->hash();
  EXPECT_EQ(hash.size(), 64U);
  EXPECT_EQ(sample_task("gsm8k")->prompts(with_shots(0))->hash(), hash);
  EXPECT_NE(task->prompts(with_shots(1))->hash(), hash);
  EXPECT_NE(task->prompts({.shots = 0, .chat = load_chat_format("chatml")})->hash(), hash);
  const OwnTask one(kOwnChoice, own_rows(6));
  const OwnTask other(kOwnChoice, own_rows(7));
  EXPECT_NE(one.load()->prompts(with_shots(0))->hash(),
            other.load()->prompts(with_shots(0))->hash());
}

TEST(Prompts, InChatAskTheTasksOwnWay) {
  const auto task = sample_task("gsm8k");
  const auto prompts = task->prompts({.shots = {}, .chat = load_chat_format("chatml")});
  EXPECT_EQ(prompts->shots(), 0);
  const Document document = prompts->document(0);
  EXPECT_THAT(document.generation->until, ElementsAre("<|im_end|>"));
  // The plain prompt is "Question: …\nAnswer:"; in chat the bare question is the user's turn.
  const std::string plain = task->prompts(with_shots(0))->document(0).generation->context;
  const std::string question = plain.substr(10, plain.size() - 10 - 8);
  EXPECT_EQ(document.generation->context,
            "<|im_start|>user\n" + question + "<|im_end|>\n<|im_start|>assistant\n");
  // With examples the plain prompt becomes the user's turn.
  const auto shown = task->prompts({.shots = 1, .chat = load_chat_format("chatml")})->document(0);
  EXPECT_THAT(shown.generation->context, HasSubstr("user\nQuestion:"));
  EXPECT_THAT(shown.generation->until,
              ElementsAre("Question:", "</s>", "<|im_end|>", "<|im_end|>"));
}

TEST(Prompts, OfMath500InChatAskForABox) {
  FBT_REQUIRE_SHARED("data/math500");
  const DataSource data((testing::shared_dir() / "data").string());
  const auto task = Registry().resolve({"math500"}, data).tasks.front();
  const auto prompts = task->prompts({.shots = {}, .chat = load_chat_format("plain")});
  EXPECT_THAT(prompts->document(7).generation->context,
              EndsWith("\n\nPut your final answer in \\boxed{}."));
  EXPECT_TRUE(prompts->document(7).generation->until.empty());
}

TEST(Prompts, InChatContinueWithoutADelimiter) {
  const OwnTask own(kOwnChoice, own_rows(6));
  const Document document =
      own.load()->prompts({.shots = 0, .chat = load_chat_format("llama3")})->document(0);
  EXPECT_THAT(document.requests[0].context, EndsWith("<|end_header_id|>\n\n"));
  EXPECT_EQ(document.requests[0].continuation, "x");
}

TEST(Prompts, OfPartialScoringPutTheChoiceIntoTheContext) {
  const OwnTask own(R"({"schema": 1, "name": "own", "title": "Own", "kind": "multiple_choice",
    "documents": {"file": "./rows.jsonl"}, "few_shot": {"file": "./rows.jsonl", "shots": 1,
    "sampler": "first"}, "choices": ["{{s|before:_}}{{o1}}", "{{s|before:_}}{{o2}}"],
    "continuation": "{{s|after:_|strip}}", "target": {"label": "{{r}}", "among": ["1", "2"]},
    "metrics": ["acc"]})",
                    R"({"s": "I met _ there.", "o1": "Ann", "o2": "Bo", "r": "2"})");
  const Document document = own.load()->prompts({})->document(0);
  ASSERT_EQ(document.requests.size(), 2U);
  EXPECT_EQ(document.requests[0].context, "I met Bo there.\n\nI met Ann");
  EXPECT_EQ(document.requests[0].continuation, " there.");
  EXPECT_EQ(document.requests[1].context, "I met Bo there.\n\nI met Bo");
}

// A task's score is a function of its documents and their choices as sets.
TEST(Scores, DoNotDependOnTheOrderOfEvaluation) {
  const OwnTask own(kOwnChoice, own_rows(30));
  const auto task = own.load();
  const auto prompts = task->prompts(with_shots(0));
  std::mt19937 random(5);
  // A made-up model: a likelihood for each request's text, all different.
  const auto log_likelihood = [](const LogLikelihoodRequest& request) {
    const std::size_t hash = std::hash<std::string>()(request.context + request.continuation);
    return -static_cast<double>(hash % 100'003) / 1000;
  };
  const auto score = [&](const std::vector<int>& order) {
    std::vector<double> values;
    for (const int id : order) {
      const Document document = prompts->document(id);
      std::vector<std::size_t> choices(document.requests.size());
      std::iota(choices.begin(), choices.end(), 0U);
      std::shuffle(choices.begin(), choices.end(), random);
      std::vector<double> log_likelihoods(choices.size());
      for (const std::size_t choice : choices) {
        log_likelihoods[choice] = log_likelihood(document.requests[choice]);
      }
      values.push_back(task->score_choices(document, log_likelihoods)[1].value);
    }
    std::sort(values.begin(), values.end());
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  std::vector<int> order(static_cast<std::size_t>(prompts->document_count()));
  std::iota(order.begin(), order.end(), 0);
  const double expected = score(order);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    EXPECT_EQ(score(order), expected);
  }
}

// Naming the choices in another order moves the right index along, and nothing else.
TEST(Scores, FollowPermutedChoices) {
  const auto task = OwnTask(kOwnChoice, own_rows(3)).load();
  Document document = task->prompts(with_shots(0))->document(1);
  std::vector<double> log_likelihoods = {-3.5, -2.25, -4.125};
  const auto metrics_of = [&] {
    std::vector<double> values;
    for (const MetricValue& metric : task->score_choices(document, log_likelihoods)) {
      values.push_back(metric.value);
    }
    return values;
  };
  const std::vector<double> expected = metrics_of();
  for (int rotation = 0; rotation < 3; ++rotation) {
    std::rotate(document.choices.begin(), document.choices.begin() + 1, document.choices.end());
    std::rotate(log_likelihoods.begin(), log_likelihoods.begin() + 1, log_likelihoods.end());
    document.right_choice = (*document.right_choice + 2) % 3;
    EXPECT_EQ(metrics_of(), expected);
  }
}

TEST(RowsOfATask, ThatDoNotFitTheDefinitionNameFileAndLine) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"n": 1, "a": "x", "b": "y", "right": 0})", "rows.jsonl:1: field 'c' is missing"},
      {R"({"n": 1, "a": "x", "b": "y", "c": "z", "right": 3})",
       "rows.jsonl:1: field 'right' names the right choice as '3', which is none of 0, 1, 2"},
      {"", "holds no documents"},
  };
  for (const auto& [rows, message] : cases) {
    EXPECT_THAT(testing::error_of([&, &rows = rows] { OwnTask(kOwnChoice, rows).load(); }),
                HasSubstr(message));
  }
}

}  // namespace
}  // namespace fbt::tasks
