// The commands tokenize and detokenize, over a small tokenizer trained here.

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "harness/tokenizer/bpe_trainer.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::ProgramResult;
using testing::run_fbt_eval;

// "ab" is token 258, " ab" 259.
class TokenizeCommand : public ::testing::Test {
 protected:
  TokenizeCommand() {
    tokenizer::BpeTrainer trainer({.vocab_size = 260, .bos = "<s>", .eos = "</s>"});
    trainer.add_text("ab ab ab");
    write_file_atomically(folder_.path() / "tokenizer.json", trainer.train());
  }

  ProgramResult run(const std::string& command, std::vector<std::string> arguments,
                    std::string_view input) const {
    arguments.insert(arguments.begin(), {command, "--tokenizer", folder_.path().string()});
    return run_fbt_eval(arguments, input);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(TokenizeCommand, TurnsTextIntoIds) {
  const ProgramResult result = run("tokenize", {}, "ab ab</s>");
  EXPECT_EQ(result.output, "258 259 1\n");
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.status, 0);
}

TEST_F(TokenizeCommand, PutsBosInFront) {
  EXPECT_EQ(run("tokenize", {"--bos"}, "ab").output, "0 258\n");
}

TEST_F(TokenizeCommand, TakesSpecialTokensForTextOnRequest) {
  EXPECT_EQ(run("tokenize", {"--no-special"}, "<s>").output, "62 117 64\n");
}

TEST_F(TokenizeCommand, ReadsFiles) {
  const auto file = folder_.path() / "text";
  write_file_atomically(file, "ab");
  EXPECT_EQ(run("tokenize", {file.string()}, "").output, "258\n");
  const auto json = (folder_.path() / "tokenizer.json").string();
  EXPECT_EQ(run_fbt_eval({"tokenize", "--tokenizer", json, file.string()}).output, "258\n");
}

TEST_F(TokenizeCommand, AnswersJsonLines) {
  const ProgramResult result =
      run("tokenize", {"--jsonl"},
          "{\"text\": \"ab<s>\"}\n\n{\"text\": \"<s>\", \"special\": false}\n");
  EXPECT_EQ(result.output, "{\"ids\":[258,0]}\n{\"ids\":[62,117,64]}\n");
}

TEST_F(TokenizeCommand, TurnsIdsIntoText) {
  EXPECT_EQ(run("detokenize", {}, "258 259\n1").output, "ab ab</s>");
  EXPECT_EQ(run("detokenize", {}, "[258, 259]").output, "ab ab");
  EXPECT_EQ(run("detokenize", {"--skip-special"}, "258 1").output, "ab");
  EXPECT_EQ(run("detokenize", {"--jsonl"}, "{\"ids\": [0, 258]}\n{\"ids\": []}\n").output,
            "{\"text\":\"<s>ab\"}\n{\"text\":\"\"}\n");
}

TEST_F(TokenizeCommand, GivesTextBackByteForByte) {
  const std::string text = "na\xc3\xafve \xe2\x82\xac 12\r\n\t\xf0\x9f\x98\x80 ab\n";
  EXPECT_EQ(run("detokenize", {}, run("tokenize", {}, text).output).output, text);
}

struct BadInput {
  const char* name;
  const char* command;
  std::vector<std::string> arguments;
  const char* input;
  const char* message;
};

TEST_F(TokenizeCommand, RefusesBadInputInOneLine) {
  const BadInput cases[] = {
      {"no JSON",
       "tokenize",
       {"--jsonl"},
       "{\"text\": \"a\"}\n{oops\n",
       "standard input:2 is not valid JSON"},
      {"no text", "tokenize", {"--jsonl"}, "{\"ids\": [1]}\n", "standard input:1"},
      {"text is a number", "tokenize", {"--jsonl"}, "{\"text\": 1}\n", "string 'text'"},
      {"special is a number",
       "tokenize",
       {"--jsonl"},
       "{\"text\": \"a\", \"special\": 1}\n",
       "'special' should be true or false"},
      {"not UTF-8", "tokenize", {}, "a\xff", "is not UTF-8"},
      {"no such file", "tokenize", {"/nowhere/text"}, "", "/nowhere/text"},
      {"no ids", "detokenize", {"--jsonl"}, "[1]\n", "array 'ids'"},
      {"id too large",
       "detokenize",
       {"--jsonl"},
       "{\"ids\": [260]}\n",
       "'260' names no token; ids are whole numbers from 0 to 259"},
      {"id negative", "detokenize", {"--jsonl"}, "{\"ids\": [-1]}\n", "'-1'"},
      {"id beyond 64 bits",
       "detokenize",
       {"--jsonl"},
       "{\"ids\": [99999999999999999999]}\n",
       "names no token"},
      {"id is a fraction", "detokenize", {"--jsonl"}, "{\"ids\": [1.5]}\n", "'1.5'"},
      {"id is a string", "detokenize", {"--jsonl"}, "{\"ids\": [\"1\"]}\n", "names no token"},
      {"text for ids", "detokenize", {}, "1 two", "standard input: 'two' names no token"},
  };
  for (const BadInput& bad : cases) {
    const ProgramResult result = run(bad.command, bad.arguments, bad.input);
    EXPECT_EQ(result.status, 2) << bad.name;
    EXPECT_THAT(result.errors, AllOf(HasSubstr(bad.message), EndsWith("\n"))) << bad.name;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << bad.name;
  }
}

TEST_F(TokenizeCommand, RefusesBadTokenizersInOneLine) {
  const auto status_of = [&](const std::string& json) {
    const auto file = folder_.path() / "bad.json";
    write_file_atomically(file, json);
    const ProgramResult result = run_fbt_eval({"tokenize", "--tokenizer", file.string()}, "a");
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("bad.json"));
    return result.status;
  };
  EXPECT_EQ(status_of("{\"model\": {\"type\": \"Unigram\"}}"), 2);
  EXPECT_EQ(status_of("{\"model\": "), 2);
  const ProgramResult result = run_fbt_eval({"tokenize", "--tokenizer", "/nowhere"}, "a");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.errors, HasSubstr("/nowhere"));
}

TEST(TokenizeCommandFlags, BosNeedsATokenizerThatNamesOne) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "tokenizer.json";
  write_file_atomically(file, R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})");
  const ProgramResult result =
      run_fbt_eval({"tokenize", "--tokenizer", file.string(), "--bos"}, "a");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.errors, HasSubstr("no BOS token"));
}

}  // namespace
}  // namespace fbt
