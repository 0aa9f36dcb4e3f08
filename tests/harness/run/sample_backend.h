#pragma once

// A backend that knows the samples' questions: it gives the right answer to even
// keys and a wrong one to odd keys, and counts one token a byte.

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "base/json_lines.h"
#include "harness/backend/backend.h"
#include "tasks/data_source.h"

namespace fbt::testing {

class SampleBackend : public Backend {
 public:
  SampleBackend() {
    const tasks::DataSource samples("samples");
    for_each_json_line(
        samples.read("gsm8k/test.jsonl"), "gsm8k",
        [&](nlohmann::json&& row, std::size_t) { answers_[row["question"]] = row["answer"]; });
    for_each_json_line(
        samples.read("mbpp/mbpp.jsonl"), "mbpp",
        [&](nlohmann::json&& row, std::size_t) { answers_[row["text"]] = row["code"]; });
  }

  void score(std::span<const ScoreRequest>, const ScoreSink&) override {}

  void generate(std::span<const GenerateRequest> requests, const GenerateSink& sink) override {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const bool right = requests[i].random_key % 2 == 0;
      Completion completion;
      completion.text = right ? answer_to(requests[i].prompt) : "#### 0";
      for (std::size_t end = 1; end <= completion.text.size(); ++end) {
        completion.tokens.push_back(static_cast<unsigned char>(completion.text[end - 1]));
        completion.text_ends.push_back(end);
      }
      completion.trace_tokens = static_cast<int>(completion.tokens.size());
      if (!sink(i, std::move(completion))) return;
    }
  }

  std::vector<int> tokenize(std::string_view) const override { return {}; }
  bool has_feedback() const override { return true; }
  int context_length() const override { return 100000; }
  BackendCounters counters() const override { return {}; }
  std::vector<std::pair<std::string, std::string>> description() const override { return {}; }

 private:
  // Few-shot examples come before the question that is asked.
  std::string answer_to(const std::string& prompt) const {
    std::size_t last = 0;
    std::string answer;
    for (const auto& [question, text] : answers_) {
      const std::size_t at = prompt.rfind(question);
      if (at == std::string::npos || at < last) continue;
      last = at;
      answer = text;
    }
    return answer;
  }

  std::map<std::string, std::string> answers_;
};

}  // namespace fbt::testing
