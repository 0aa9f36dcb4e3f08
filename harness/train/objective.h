#pragma once

// The multi-pass objective: pass 0 over plain inputs, then fused passes, each
// fed with the states of the pass before; the loss is the mean over all passes
// and positions, and its gradient flows through every earlier pass.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/model/transformer.h"

namespace fbt::train {

struct ObjectiveOptions {
  int passes = 1;
  double prefix_share = 0;  // of sequences that keep a plain prefix, in each fused pass
  double jitter = 0;        // standard deviation of the noise on fed-back states
  double z_loss = 0;        // weight of the squared log-partition function
  std::uint64_t key = 0;    // names the draws of prefixes and noise
};

struct Objective {
  at::Tensor loss;                        // scalar float32, differentiable
  std::vector<at::Tensor> cross_entropy;  // per pass, scalar float32, detached
  at::Tensor state_norm;                  // mean L2 norm of the last pass's states, detached
};

// tokens, targets int64 [B,T]; position t of `targets` is what follows position
// t of `tokens`. No state crosses a BOS: those positions stay plain in all passes.
Objective multi_pass_objective(const Transformer& model, const at::Tensor& tokens,
                               const at::Tensor& targets, const ObjectiveOptions& options);

}  // namespace fbt::train
