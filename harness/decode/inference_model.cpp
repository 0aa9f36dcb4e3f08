#include "harness/decode/inference_model.h"

#include "base/error.h"

namespace fbt {

void InferenceModel::require_feedback() const {
  if (config_.latent_feedback) return;
  throw InputError("the checkpoint has no feedback weights; only the standard mode works");
}

}  // namespace fbt
