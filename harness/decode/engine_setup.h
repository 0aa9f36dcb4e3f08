#pragma once

// From options to what the engine is made of.

#include <memory>

#include "harness/decode/inference_model.h"
#include "harness/decode/torch_backend.h"
#include "harness/model/checkpoint.h"

namespace fbt {

// Checks the options and sets LibTorch's threads. Throws InputError.
void set_up_engine(const TorchBackendOptions& options);

// Loads the weights into the implementation that `options` ask for.
std::unique_ptr<InferenceModel> make_model(const TorchBackendOptions& options,
                                           const Checkpoint& checkpoint);

// The model's key/value cache within the options' budget.
KvPool make_pool(const TorchBackendOptions& options, const InferenceModel& model);

}  // namespace fbt
