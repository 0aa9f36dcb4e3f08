#pragma once

// Passes over whole sequences for the mechanism experiments: what the feedback
// does to loss, states and residual stream, step by step. Without LibTorch's
// headers, as torch_backend.h.
//
// Memory does not grow with the number of steps: the weights, the states of two
// passes and the keys and values of one, over at most --batch-tokens tokens (or
// one sequence, where that is longer).

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "harness/decode/torch_backend.h"

namespace fbt {

// Of one sequence of T tokens after n feedback steps.
struct PassFigures {
  double loss_sum = 0;    // Σ -log p(token t+1 | tokens up to t) over T - 1 positions, in nats
  double change_sum = 0;  // Σ ‖s(n) - s(n-1)‖ over T positions; 0 for n = 0
};

// How a prompt is prefilled before its residual stream is read.
struct PrefillCondition {
  int feedback_steps = 0;  // fused passes over the whole sequence after the plain one
  // Above 0: one plain pass over all but the last `suffix` tokens, which then are
  // fused one after the other (recurrent); feedback_steps does not count.
  int suffix = 0;
};

class PassStream {
 public:
  virtual ~PassStream() = default;

  // Returning false stops the work after the sequences in progress.
  using PassSink = std::function<bool(std::size_t sequence, int step, const PassFigures& figures)>;

  // Pass 0 and `steps` fused passes over every sequence, each reported once, a
  // sequence's steps in order. Where the states stand still to the last bit,
  // later steps are reported without computing them. Throws InputError for
  // sequences of fewer than 2 tokens or longer than the context, for ids outside
  // the vocabulary, and for steps without feedback weights.
  virtual void run(std::span<const std::vector<int>> sequences, int steps,
                   const PassSink& sink) = 0;

  // The residual stream at each sequence's last position in the last pass of each
  // condition: for every condition [sequences, layers + 1, hidden], entry 0 the
  // input, entry i what layer i - 1 (0-based) leaves, before the final norm. The
  // conditions share the passes they have in common: all begin with one plain
  // pass, and n fused passes go on where n - 1 ended. Throws as run(), and for
  // sequences that are not longer than a suffix.
  virtual std::vector<std::vector<float>> last_residuals(
      std::span<const std::vector<int>> sequences,
      std::span<const PrefillCondition> conditions) = 0;

  virtual bool has_feedback() const = 0;
  virtual int context_length() const = 0;
  virtual int layers() const = 0;
  virtual int hidden_size() const = 0;
  // With the BOS that the tokenizer puts in front of texts. Throws InputError
  // where the checkpoint has no tokenizer.
  virtual std::vector<int> tokenize(std::string_view text) const = 0;
};

// Loads the weights. Calls of run() and last_residuals() must not overlap.
// Throws InputError for what is wrong with the checkpoint or the options.
std::unique_ptr<PassStream> make_pass_stream(const TorchBackendOptions& options);

}  // namespace fbt
