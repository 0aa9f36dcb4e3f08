#pragma once

// The curves of trainings in the results file, one row a step.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "results/store/database.h"

namespace fbt::results {

struct TrainingStep {
  std::int64_t step = 0;    // 0-based
  std::int64_t tokens = 0;  // seen up to and with this step
  int passes = 1;
  double loss = 0;            // cross-entropy of the plain pass, nats a token
  double last_pass_loss = 0;  // the same of the last pass
  double gradient_norm = 0;   // of all gradients together
  double state_norm = 0;      // mean L2 norm of the last pass's states
  double learning_rate_factor = 0;
  double tokens_per_second = 0;
};

// One training's curve. A training is found by its recipe, a JSON text that only
// the trainer reads. An object belongs to one thread at a time. Errors as Store's.
class TrainingLog {
 public:
  // Makes the file and the training where they are missing.
  TrainingLog(const std::filesystem::path& path, const std::string& name,
              const std::string& recipe);

  // Forgets steps from `first` on: a resumed training writes them again.
  void truncate(std::int64_t first);
  void append(const TrainingStep& step);

  std::vector<TrainingStep> steps() const;

 private:
  std::unique_ptr<Database> database_;
  std::int64_t training_ = 0;
};

}  // namespace fbt::results
