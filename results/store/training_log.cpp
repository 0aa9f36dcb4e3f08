#include "results/store/training_log.h"

#include "results/store/open.h"

namespace fbt::results {

TrainingLog::TrainingLog(const std::filesystem::path& path, const std::string& name,
                         const std::string& recipe)
    : database_(open_for_writing(path)) {
  Statement insert(*database_,
                   "INSERT INTO trainings (name, recipe, started_at) "
                   "VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) "
                   "ON CONFLICT (recipe) DO UPDATE SET name = ?1 RETURNING id");
  insert.bind(1, name).bind(2, recipe);
  insert.step();
  training_ = insert.integer(0);
  insert.run();
}

void TrainingLog::truncate(std::int64_t first) {
  Statement erase(*database_, "DELETE FROM training_steps WHERE training = ?1 AND step >= ?2");
  erase.bind(1, training_).bind(2, first).run();
}

void TrainingLog::append(const TrainingStep& step) {
  Statement insert(*database_,
                   "INSERT INTO training_steps (training, step, tokens, passes, loss, "
                   "last_pass_loss, gradient_norm, state_norm, learning_rate_factor, "
                   "tokens_per_second) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  insert.bind(1, training_).bind(2, step.step).bind(3, step.tokens).bind(4, step.passes);
  insert.bind(5, step.loss).bind(6, step.last_pass_loss).bind(7, step.gradient_norm);
  insert.bind(8, step.state_norm).bind(9, step.learning_rate_factor);
  insert.bind(10, step.tokens_per_second).run();
}

std::vector<TrainingStep> TrainingLog::steps() const {
  Statement select(*database_,
                   "SELECT step, tokens, passes, loss, last_pass_loss, gradient_norm, state_norm, "
                   "learning_rate_factor, tokens_per_second FROM training_steps "
                   "WHERE training = ?1 ORDER BY step");
  select.bind(1, training_);
  std::vector<TrainingStep> steps;
  while (select.step()) {
    steps.push_back({select.integer(0), select.integer(1), static_cast<int>(select.integer(2)),
                     select.real(3), select.real(4), select.real(5), select.real(6), select.real(7),
                     select.real(8)});
  }
  return steps;
}

}  // namespace fbt::results
