#pragma once

// Continuous batching: rows of different prompts, modes, temperatures and
// lengths step together; a finished row leaves at once and another may take its
// place before the next step.

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/decode/inference_model.h"
#include "harness/decode/prefill.h"
#include "harness/decode/profile.h"

namespace fbt {

// How a row's next token is chosen.
struct TokenChoice {
  int forced = -1;         // at least 0: this token
  double temperature = 0;  // 0: the most likely one
  double uniform = 0;      // in [0, 1): where in the distribution, at a temperature above 0
};

struct ChosenToken {
  int token = 0;
  double log_likelihood = 0;  // under temperature 1
  bool is_argmax = false;
};

// What a row is for. The decoder calls it from the thread that calls step().
class RowClient {
 public:
  virtual ~RowClient() = default;
  virtual TokenChoice next_choice() = 0;
  // Returns whether the row goes on; false ends it.
  virtual bool accept(const ChosenToken& chosen) = 0;
};

class Decoder {
 public:
  // All references must outlive the object.
  Decoder(const InferenceModel& model, Profile& profile) : model_(model), profile_(profile) {}

  // A row that goes on from `prefix` after `pass`. With `fused`, each of its
  // positions is fed the state of the one before. `reserved_bytes`: the cache
  // memory its tail may come to take.
  void add(std::shared_ptr<const PrefixState> prefix, int pass, bool fused,
           std::int64_t reserved_bytes, std::unique_ptr<RowClient> client);

  std::size_t rows() const { return rows_.size(); }
  std::int64_t reserved_bytes() const;

  // Chooses one token for every row and computes the state of those that go on.
  void step();

  std::uint64_t chosen_tokens() const { return chosen_tokens_; }
  std::uint64_t computed_tokens() const { return computed_tokens_; }  // through the layers

 private:
  struct Row {
    KvSequence cache;
    at::Tensor state;  // [D]
    bool fused;
    std::int64_t reserved_bytes;
    std::unique_ptr<RowClient> client;
  };

  std::vector<ChosenToken> choose();
  void advance(const std::vector<int>& tokens);

  const InferenceModel& model_;
  Profile& profile_;
  std::vector<Row> rows_;
  std::uint64_t chosen_tokens_ = 0;
  std::uint64_t computed_tokens_ = 0;
};

}  // namespace fbt
