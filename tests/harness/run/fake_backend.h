#pragma once

// A backend that answers "i+i=" questions: right for even keys, wrong for odd
// ones, so that what it says depends on the sample's key alone.

#include <atomic>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/backend/backend.h"

namespace fbt::testing {

class FakeBackend : public Backend {
 public:
  // Stops (as a killed process would, at a result's border) after so many results.
  explicit FakeBackend(std::size_t most_results = static_cast<std::size_t>(-1))
      : left_(most_results) {}

  void score(std::span<const ScoreRequest> requests, const ScoreSink& sink) override {
    // Backwards: a run must not rely on order.
    for (std::size_t i = requests.size(); i-- > 0 && left_ > 0; --left_) {
      ScoreResult result;
      const std::size_t hash = std::hash<std::string>()(requests[i].context);
      result.log_likelihood = requests[i].continuation == " even" ? -1.0 : hash % 2 ? -2.0 : -0.5;
      if (!sink(i, std::move(result))) return;
    }
  }

  void generate(std::span<const GenerateRequest> requests, const GenerateSink& sink) override {
    for (std::size_t i = requests.size(); i-- > 0 && left_ > 0; --left_) {
      const int number = std::stoi(requests[i].prompt);
      const bool right = requests[i].random_key % 2 == 0;
      Completion completion;
      completion.text = fmt::format("#### {}", right ? 2 * number : -1);
      completion.tokens = {1, 2, 3};
      completion.trace_tokens = 3;
      counters_.generated_tokens += 3;
      if (!sink(i, std::move(completion))) return;
    }
  }

  std::vector<int> tokenize(std::string_view text) const override {
    return std::vector<int>(text.begin(), text.end());
  }
  bool has_feedback() const override { return true; }
  int context_length() const override { return 1024; }
  BackendCounters counters() const override { return counters_; }
  std::vector<std::pair<std::string, std::string>> description() const override {
    return {{"kind", "fake"}, {"version", "1"}, {"device", "cpu"}};
  }

 private:
  std::size_t left_;
  BackendCounters counters_;
};

}  // namespace fbt::testing
