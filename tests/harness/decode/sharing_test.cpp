// How much the prefix tree saves on real requests (shared/golden/lm_eval).

#include <gtest/gtest.h>

#include "base/json_lines.h"
#include "harness/decode/encode_memo.h"
#include "harness/decode/prefix_tree.h"
#include "harness/decode/request_tokens.h"
#include "harness/decode/sequence_set.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

TextTokens text_of(const Tokenizer& tokenizer) {
  TextTokens text;
  text.tokenizer = &tokenizer;
  text.prefix_token = 0;
  text.context_length = 8192;
  text.vocab_size = 100352;
  return text;
}

// Issue 6's third target: five-shot MMLU on several subjects, 20 documents each,
// computes at most a quarter of the tokens asked for.
TEST(Sharing, FiveShotMmluComputesAQuarterOfWhatIsAsked) {
  FBT_REQUIRE_SHARED("golden/lm_eval");
  FBT_REQUIRE_SHARED("golden/tokenizers/cl100k/tokenizer.json");
  const Tokenizer tokenizer =
      Tokenizer::load(testing::shared_dir() / "golden/tokenizers/cl100k/tokenizer.json");
  const TextTokens text = text_of(tokenizer);
  EncodeMemo memo(text);
  SequenceSet sequences;
  std::uint64_t asked = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(testing::shared_dir() / "golden/lm_eval")) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("mmlu_") || name.find(".5shot.") == std::string::npos) continue;
    int documents = 0;
    for_each_json_line(file.path(), [&](nlohmann::json&& document, std::size_t) {
      if (++documents > 20) return;
      for (const auto& request : document.at("requests")) {
        ScoreRequest score;
        score.context = request.at("context").get<std::string>();
        score.continuation = request.at("continuation").get<std::string>();
        ScoreTokens tokens = score_tokens_of(score, memo);
        std::vector<int> inputs = std::move(tokens.context);
        inputs.insert(inputs.end(), tokens.continuation.begin(), tokens.continuation.end() - 1);
        asked += inputs.size();
        sequences.add(std::move(inputs), 1);
      }
    });
  }
  const PrefixTree tree(sequences.take());
  RecordProperty("asked", std::to_string(asked));
  RecordProperty("computed", std::to_string(tree.planned()));
  EXPECT_GT(asked, 10000u);
  EXPECT_LE(static_cast<double>(tree.planned()), 0.25 * static_cast<double>(asked));
}

// The fourth: 10 samples x 3 temperatures x 3 modes compute each prompt token
// once plain and once fused.
TEST(Sharing, SamplesTemperaturesAndModesShareThePrompt) {
  SequenceSet sequences;
  const std::vector<int> prompt = {5, 4, 3, 2};
  for (int sample = 0; sample < 30; ++sample) {
    for (const int passes : {1, 1, 2}) sequences.add(prompt, passes);
  }
  EXPECT_EQ(PrefixTree(sequences.take()).planned(), 2 * prompt.size());
}

}  // namespace
}  // namespace fbt
