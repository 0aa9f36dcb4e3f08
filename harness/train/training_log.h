#pragma once

// The training's curve in SQLite, one row a step:
//   training_steps(step, tokens, passes, loss, last_pass_loss, gradient_norm,
//                  state_norm, learning_rate_factor, tokens_per_second)

#include <cstdint>
#include <filesystem>
#include <memory>

namespace fbt::train {

struct StepRecord {
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

class TrainingLog {
 public:
  // Opens or makes the database. Throws EnvironmentError naming the file.
  explicit TrainingLog(const std::filesystem::path& path);
  ~TrainingLog();
  TrainingLog(const TrainingLog&) = delete;
  TrainingLog& operator=(const TrainingLog&) = delete;

  // Forgets steps from `first` on: a resumed training writes them again.
  void truncate(std::int64_t first);
  void append(const StepRecord& record);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fbt::train
