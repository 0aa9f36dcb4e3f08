// Ids and texts that the original tokenizers gave (FBT_SHARED/golden/tokenizers).

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_lines.h"
#include "harness/tokenizer/incremental_detokenizer.h"
#include "harness/tokenizer/tokenizer.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

struct Golden {
  const char* name;
  const char* folder;
  const char* added_tokens;  // put in place of the file's own, or null
  const char* cases;
  int bos;  // -1: none
};

const Golden kGolden[] = {
    {"Gpt2", "gpt2", nullptr, "cases.jsonl", -1},
    {"Cl100k", "cl100k", nullptr, "cases.jsonl", -1},
    {"Llama3", "llama3", nullptr, "cases.jsonl", 128000},
    {"Qwen", "qwen", nullptr, "cases.jsonl", -1},
    {"NeoX", "neox", nullptr, "cases.jsonl", -1},
    {"Llama2", "llama2", nullptr, "cases.jsonl", 1},
    {"Phi4", "cl100k", "phi4_added_tokens.json", "phi4_cases.jsonl", -1},
    {"Phi3", "llama2", "phi3_added_tokens.json", "phi3_cases.jsonl", 1},
};

std::filesystem::path folder_of(const Golden& golden) {
  return testing::shared_dir() / "golden/tokenizers" / golden.folder;
}

Tokenizer load(const Golden& golden) {
  const auto folder = folder_of(golden);
  if (golden.added_tokens == nullptr) return Tokenizer::load(folder);
  // As the golden data's README says.
  auto json = parse_json(read_file(folder / "tokenizer.json"), "tokenizer.json");
  json["added_tokens"] = parse_json(read_file(folder / golden.added_tokens), golden.added_tokens);
  for (const auto& token : json["added_tokens"]) {
    auto& vocabulary = json["model"]["vocab"];
    const auto content = token["content"].get<std::string>();
    if (!vocabulary.contains(content)) vocabulary[content] = token["id"];
  }
  return Tokenizer::from_json(json.dump(), golden.name);
}

class GoldenTokenizer : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenTokenizer, EncodesAndDecodesEveryCase) {
  const Golden& golden = GetParam();
  FBT_REQUIRE_SHARED("golden/tokenizers");
  const Tokenizer tokenizer = load(golden);
  EXPECT_EQ(tokenizer.bos_id().value_or(-1), golden.bos);
  int cases = 0;
  for_each_json_line(folder_of(golden) / golden.cases, [&](nlohmann::json&& row, std::size_t line) {
    const auto ids = row["ids"].get<std::vector<int>>();
    EXPECT_EQ(tokenizer.encode(row["text"].get<std::string>(), row["special"].get<bool>()), ids)
        << golden.cases << ":" << line;
    EXPECT_EQ(tokenizer.decode(ids), row["decoded"].get<std::string>())
        << golden.cases << ":" << line;
    ++cases;
  });
  EXPECT_GT(cases, 100);
}

TEST_P(GoldenTokenizer, DecodesIncrementallyWithoutSplittingCharacters) {
  const Golden& golden = GetParam();
  FBT_REQUIRE_SHARED("golden/tokenizers");
  const Tokenizer tokenizer = load(golden);
  for_each_json_line(folder_of(golden) / golden.cases, [&](nlohmann::json&& row, std::size_t line) {
    IncrementalDetokenizer detokenizer(tokenizer);
    std::string text;
    for (const int id : row["ids"].get<std::vector<int>>()) {
      const std::string part = detokenizer.push(id);
      EXPECT_NO_THROW(nlohmann::json(part).dump()) << golden.cases << ":" << line;  // strict UTF-8
      text += part;
    }
    text += detokenizer.flush();
    EXPECT_EQ(text, row["decoded"].get<std::string>()) << golden.cases << ":" << line;
  });
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTokenizer, ::testing::ValuesIn(kGolden),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fbt
