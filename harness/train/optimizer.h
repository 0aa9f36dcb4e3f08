#pragma once

// NorMuon for matrices, Adam for the rest (embedding and gains).
//
// NorMuon (Li et al., "NorMuon: Making Muon more efficient and scalable", 2025),
// with gradient G, momentum m [rows,cols], second moment v [rows,1]:
//   m <- b1 m + (1 - b1) G
//   O = orthogonalised m, by Newton-Schulz iterations
//   v <- b2 v + (1 - b2) mean over columns of O^2
//   N = O / (sqrt(v) + eps)
//   W <- W - lr wd W - 0.2 lr sqrt(rows cols) / |N|_F N
// Adam (Kingma, Ba, 2015) with bias correction, without decay.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/model/weights.h"

namespace fbt::train {

struct OptimizerSettings {
  double matrix_lr = 1e-2;
  double matrix_momentum = 0.95;  // b1
  double matrix_beta2 = 0.95;     // b2
  double matrix_decay = 0.01;
  double adam_lr = 5e-4;
  double adam_beta1 = 0.9;
  double adam_beta2 = 0.95;
  double epsilon = 1e-8;
  at::ScalarType iteration_dtype = at::kFloat;  // of the Newton-Schulz iterations
};

// The nearest matrix with orthonormal rows or columns, roughly: five quintic
// Newton-Schulz steps with Muon's coefficients (3.4445, -4.7750, 2.0315) bring
// every singular value into about 0.7 … 1.2. [rows,cols], in the dtype given.
at::Tensor orthogonalise(const at::Tensor& matrix);

class Optimizer {
 public:
  // `parameters` are float32 leaves, updated in place and shared with the caller.
  Optimizer(NamedTensors parameters, OptimizerSettings settings);

  // One step along the parameters' gradients with both learning rates times
  // `factor`. Parameters without a gradient stay as they are.
  void step(double factor);

  std::int64_t steps_done() const { return steps_done_; }

  // The moments by name ("momentum.NAME", "second.NAME"), for saving; shared.
  NamedTensors state() const;
  // Copies saved moments in. Throws InputError if one is missing or misshapen.
  void restore(const std::map<std::string, at::Tensor>& state, std::int64_t steps_done);

 private:
  struct Slot {
    std::string name;
    at::Tensor parameter;
    at::Tensor momentum;  // like the parameter
    at::Tensor second;    // matrices: [rows,1]; others: like the parameter
    bool is_matrix;
  };
  void step_matrix(Slot& slot, const at::Tensor& gradient, double lr) const;
  void step_adam(Slot& slot, const at::Tensor& gradient, double lr) const;

  std::vector<Slot> slots_;
  OptimizerSettings settings_;
  std::int64_t steps_done_ = 0;
};

// Whether NorMuon updates this tensor: every matrix but the embedding.
bool is_matrix_parameter(const std::string& name, const at::Tensor& parameter);

}  // namespace fbt::train
