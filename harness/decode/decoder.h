#pragma once

// Continuous batching: rows of different prompts, modes, temperatures and
// lengths step together; a finished row leaves at once and another may take its
// place before the next step.

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "harness/decode/inference_model.h"
#include "harness/decode/prefill.h"
#include "harness/decode/profile.h"

namespace fbt {

// What a row is for. The decoder calls it from the thread that calls step().
class RowClient {
 public:
  virtual ~RowClient() = default;
  // How the row's token number `step` is chosen. Asked for before earlier tokens
  // are known, so it must not depend on them.
  virtual TokenChoice next_choice(std::int64_t step) = 0;
  // The tokens in their order. Returns whether the row goes on; false ends it.
  virtual bool accept(const ChosenToken& chosen) = 0;
};

class Decoder {
 public:
  // All references must outlive the object.
  Decoder(const InferenceModel& model, Profile& profile) : model_(model), profile_(profile) {}

  // A row that goes on from `prefix` after `pass`. With `fused`, each of its
  // positions is fed the state of the one before. It has at most `limit` tokens
  // (the client ends it with that one at the latest). `reserved_bytes`: the cache
  // memory its tail may come to take.
  void add(std::shared_ptr<const PrefixState> prefix, int pass, bool fused, std::int64_t limit,
           std::int64_t reserved_bytes, std::unique_ptr<RowClient> client);

  std::size_t rows() const { return active_.size() + ending_.size(); }
  std::int64_t reserved_bytes() const;

  // Chooses one token for every row, tells clients of those that have arrived
  // and computes the state of rows that go on. Where the model lets steps run
  // ahead of the host, a token arrives a step later; what a row computed after
  // its last token is thrown away.
  void step();

  std::uint64_t chosen_tokens() const { return chosen_tokens_; }      // that clients were told of
  std::uint64_t computed_tokens() const { return computed_tokens_; }  // through the layers

 private:
  struct Row {
    KvSequence cache;
    bool fused;
    std::int64_t limit;
    std::int64_t reserved_bytes;
    std::unique_ptr<RowClient> client;
    std::int64_t chosen = 0;  // tokens chosen so far, known to the host or not
    bool ended = false;
  };
  using Rows = std::vector<std::shared_ptr<Row>>;
  // A choice the host has not seen.
  struct Step {
    Rows rows;
    PendingScores wait;
  };

  PendingTokens choose();
  void take_in(Step step);
  void advance(const at::Tensor& tokens, const std::vector<std::int64_t>& going_on);

  const InferenceModel& model_;
  Profile& profile_;
  Rows active_;                         // to be stepped
  at::Tensor states_;                   // [active, D], without those added since
  std::vector<at::Tensor> new_states_;  // [D] of the rows added since, the last of active_
  Rows ending_;                         // at their limit; their last token has not arrived
  std::deque<Step> ahead_;
  std::uint64_t chosen_tokens_ = 0;
  std::uint64_t computed_tokens_ = 0;
};

}  // namespace fbt
