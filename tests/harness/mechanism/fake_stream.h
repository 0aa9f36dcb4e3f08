#pragma once

// A model whose every figure is known: one token a byte, a loss and a movement
// that follow a given law, and a residual stream that holds the counters of the
// completion task wherever states are fed back, and nothing where they are not.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "harness/decode/pass_stream.h"

namespace fbt::mechanism {

class FakeStream : public PassStream {
 public:
  std::function<double(int step)> loss = [](int step) { return 2 + std::pow(0.5, step); };
  std::function<double(int step)> change = [](int step) { return std::pow(0.5, step); };
  std::function<void()> on_sequence = [] {};   // called as each sequence begins
  std::function<void()> on_residuals = [] {};  // called as each batch of residuals ends
  // What decides about the rounding of a batch of residuals.
  struct Batch {
    std::size_t sequences;
    std::vector<int> suffixes;
  };
  std::vector<Batch> batches;
  bool feedback = true;
  int context = 4000;
  int sequences_run = 0;
  int residuals_read = 0;

  void run(std::span<const std::vector<int>> sequences, int steps, const PassSink& sink) override {
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      ++sequences_run;
      on_sequence();
      const auto tokens = static_cast<double>(sequences[i].size());
      bool go_on = true;
      for (int step = 0; step <= steps; ++step) {
        go_on = sink(i, step, {loss(step) * (tokens - 1), step == 0 ? 0 : change(step) * tokens});
      }
      if (!go_on) return;
    }
  }

  std::vector<std::vector<float>> last_residuals(
      std::span<const std::vector<int>> sequences,
      std::span<const PrefillCondition> conditions) override {
    std::vector<std::vector<float>> all;
    Batch& batch = batches.emplace_back(Batch{sequences.size(), {}});
    for (const PrefillCondition& condition : conditions) {
      if (condition.suffix > 0) batch.suffixes.push_back(condition.suffix);
      all.push_back(residuals_under(sequences, condition));
    }
    on_residuals();
    return all;
  }

  bool has_feedback() const override { return feedback; }
  int context_length() const override { return context; }
  int layers() const override { return 2; }
  int hidden_size() const override { return 3; }
  std::vector<int> tokenize(std::string_view text) const override {
    std::vector<int> ids = {0};
    for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
    return ids;
  }

 private:
  std::vector<float> residuals_under(std::span<const std::vector<int>> sequences,
                                     const PrefillCondition& condition) {
    const bool fused = condition.feedback_steps > 0 || condition.suffix > 0;
    std::vector<float> values;
    for (const std::vector<int>& tokens : sequences) {
      ++residuals_read;
      const std::string text(tokens.begin(), tokens.end());
      const float required = fused ? count(text, "required +1") : 0;
      const float completed = fused ? count(text, "completed +1") : 0;
      for (int layer = 0; layer <= layers(); ++layer) {
        values.insert(values.end(), {1.0F, required - completed, completed});
      }
    }
    return values;
  }

  static float count(const std::string& text, std::string_view word) {
    float times = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++times;
    return times;
  }
};

}  // namespace fbt::mechanism
