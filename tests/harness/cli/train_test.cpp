// The command train as a user meets it: a training of a few seconds, what it prints
// and stores, the checkpoint it leaves, an interruption, a divergence, bad options.

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/file.h"
#include "harness/model/cpu_bfloat16.h"
#include "harness/tokenizer/bpe_trainer.h"
#include "results/store/open.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kBatchTokens = 32;

MATCHER_P(Matches, pattern, "") {
  return std::regex_search(arg, std::regex(pattern));
}

class TrainCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    tokenizer::BpeTrainer trainer({.vocab_size = 262, .eos = "<|eos|>"});
    trainer.add_text("1 + 1 = 2");
    write_file_atomically(file("tokenizer.json"), trainer.train());
  }

  std::string file(const std::string& name) const { return folder_.path() / name; }

  // `steps` of two rows of 16 tokens, into the folder `name` of this test's.
  std::vector<std::string> command(const std::string& name, std::int64_t steps,
                                   const std::vector<std::string>& more = {}) const {
    std::istringstream words(
        "train --batch-tokens 32 --micro-batch-tokens 32 --row-tokens 16 --threads 1 "
        "--report-every 1");
    std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
    const auto add = [&](const char* option, const std::string& value) {
      arguments.insert(arguments.end(), {option, value});
    };
    add("--config", testing::source_dir() / "tests/harness/cli/tiny.json");
    add("--tokenizer", file("tokenizer.json"));
    add("--out", file(name));
    add("--db", file(name + ".sqlite"));
    add("--name", name);
    add("--tokens", std::to_string(steps * kBatchTokens));
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  std::string weights(const std::string& name) const {
    return read_file(folder_.path() / name / "model.safetensors");
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(TrainCommand, ReportsStepsAndLeavesACheckpoint) {
  const auto result = testing::run_fbt_eval(command("tiny", 4));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.errors,
              Matches("step 4/4  tokens 128  passes [1-3]  loss [0-9.]+ \\(last pass "
                      "[0-9.]+\\)  gradient [0-9.]+  state [0-9.]+  [0-9]+ tokens/s"));
  const std::string products = "matrix products in float32: this CPU has no instructions";
  if (cpu_multiplies_bfloat16()) {
    EXPECT_THAT(result.errors, Not(HasSubstr(products)));
  } else {
    EXPECT_THAT(result.errors, HasSubstr(products));
  }

  const auto database = results::open_for_reading(file("tiny.sqlite"));
  results::Statement rows(*database,
                          "SELECT step, training_steps.tokens, passes, loss, last_pass_loss, "
                          "gradient_norm, state_norm, tokens_per_second "
                          "FROM training_steps JOIN trainings ON id = training "
                          "WHERE name = 'tiny' ORDER BY step");
  std::int64_t step = 0;
  for (; rows.step(); ++step) {
    EXPECT_EQ(rows.integer(0), step);
    EXPECT_EQ(rows.integer(1), (step + 1) * kBatchTokens);
    EXPECT_GE(rows.integer(2), 1);
    for (int column = 3; column < 8; ++column) EXPECT_GT(rows.real(column), 0) << column;
  }
  EXPECT_EQ(step, 4);

  const auto text = testing::run_fbt_eval({"generate", "--checkpoint", file("tiny"), "--prompt",
                                           "A", "--mode", "fused", "--max-new-tokens", "3"});
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_THAT(text.output, Not(::testing::IsEmpty()));
}

// Interrupted twice, wherever that happens to be; the folder is a checkpoint in between.
TEST_F(TrainCommand, InterruptedEndsAtTheSameWeights) {
  constexpr std::int64_t kSteps = 200;
  const auto whole = testing::run_fbt_eval(command("whole", kSteps));
  ASSERT_EQ(whole.status, 0) << whole.errors;

  const std::vector<std::string> parts = command("parts", kSteps);
  const auto first = testing::interrupt_fbt_eval(parts, "step 1/200 ");
  EXPECT_EQ(first.status, 3) << first.errors;
  EXPECT_THAT(first.errors, Matches("stopped after step [0-9]+; the same command goes on"));
  EXPECT_NE(weights("parts"), weights("whole"));
  const auto second = testing::interrupt_fbt_eval(parts, "tokens/s");
  EXPECT_EQ(second.status, 3) << second.errors;
  EXPECT_THAT(second.errors, HasSubstr("going on after step "));
  const auto last = testing::run_fbt_eval(parts);
  ASSERT_EQ(last.status, 0) << last.errors;
  EXPECT_EQ(weights("parts"), weights("whole"));

  const auto database = results::open_for_reading(file("parts.sqlite"));
  results::Statement count(*database, "SELECT count(*), count(DISTINCT step) FROM training_steps");
  ASSERT_TRUE(count.step());
  EXPECT_EQ(count.integer(0), kSteps);
  EXPECT_EQ(count.integer(1), kSteps);
}

// A dtype that is not this machine's choice is kept by the command without --dtype.
TEST_F(TrainCommand, GoesOnInTheDtypeItWasBegunWith) {
  const std::string begun = cpu_multiplies_bfloat16() ? "float32" : "bfloat16";
  const auto first = testing::run_fbt_eval(command("tiny", 2, {"--dtype", begun}));
  ASSERT_EQ(first.status, 0) << first.errors;
  if (begun == "bfloat16") {
    EXPECT_THAT(first.errors, HasSubstr("this CPU has no instructions for products in bfloat16"));
  }
  const std::string trained = weights("tiny");
  const auto again = testing::run_fbt_eval(command("tiny", 2));
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_THAT(again.errors, HasSubstr("going on after step 2"));
  EXPECT_EQ(weights("tiny"), trained);
}

// The only step's update ruins the weights: they do not replace what was saved before.
TEST_F(TrainCommand, KeepsWhatWasSavedBeforeItDiverged) {
  const std::vector<std::string> plain = {"--passes", "1"};
  const std::vector<std::string> ruinous = {"--passes", "1",        "--fresh", "--adam-lr",
                                            "1e18",     "--warmup", "0"};
  const auto first = testing::run_fbt_eval(command("tiny", 1, ruinous));
  EXPECT_EQ(first.status, 4);
  EXPECT_THAT(first.errors,
              AllOf(HasSubstr("training diverged at step 1 (loss "), HasSubstr("are not saved")));
  EXPECT_FALSE(std::filesystem::exists(file("tiny/model.safetensors")));
  EXPECT_FALSE(std::filesystem::exists(file("tiny/training/state.json")));

  ASSERT_EQ(testing::run_fbt_eval(command("tiny", 1, plain)).status, 0);
  const std::string good = weights("tiny");
  EXPECT_EQ(testing::run_fbt_eval(command("tiny", 1, ruinous)).status, 4);
  EXPECT_EQ(weights("tiny"), good);
}

TEST_F(TrainCommand, RefusesBadOptionsInOneLine) {
  const struct {
    std::vector<std::string> options;
    std::vector<const char*> parts;  // of the line
  } cases[] = {
      {{"--threads", "-3"}, {"--threads: -3 is not allowed: give 0 or a number above it"}},
      {{"--dtype", "float16"}, {"dtype", "float16", "bfloat16"}},
      {{"--family", "standart"}, {"family", "standart", "did you mean standard?"}},
      {{"--config", file("none.json")}, {"--config", "none.json"}},
      {{"--row-tokens", "24"}, {"--row-tokens 24"}},
      {{"--passes", "0.5,0.4"}, {"--passes", "sum to 0.9"}},
      {{"--device", "gpu"}, {"device", "gpu"}},
  };
  for (const auto& [options, parts] : cases) {
    std::vector<std::string> arguments = command("tiny", 4);
    const auto place = std::find(arguments.begin(), arguments.end(), options.front());
    if (place != arguments.end()) {
      *(place + 1) = options.back();
    } else {
      arguments.insert(arguments.end(), options.begin(), options.end());
    }
    const auto result = testing::run_fbt_eval(arguments);
    EXPECT_EQ(result.status, 2) << result.errors;
    for (const char* part : parts) EXPECT_THAT(result.errors, HasSubstr(part));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
}

}  // namespace
}  // namespace fbt
