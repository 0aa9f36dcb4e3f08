#include "tasks/synthetic/training_text.h"

#include <fmt/format.h>

#include "tasks/synthetic/state_tracking.h"

namespace fbt::synthetic {

std::string evaluation_text(const WordProblem& problem) {
  return fmt::format("Question: {}\nAnswer: {}", problem.question, problem.answer);
}

std::string evaluation_text(const PythonFunction& function) {
  return fmt::format(
      "You are an expert Python programmer, and here is your task: {} Your code should pass these "
      "tests:\n\n{}\n{}\n{}\n[BEGIN]\n{}\n[DONE]",
      function.text, function.tests[0], function.tests[1], function.tests[2], function.code);
}

std::string TrainingText::document(std::uint64_t index) const {
  Draw draw(KeyedRandom(seed_).bits(index));
  const int kind = draw.between(0, 9);
  const int most = kind < 4 ? 6 : kind < 8 ? 4 : 8;
  const int problems = draw.between(1, most);
  std::string text;
  for (int i = 0; i < problems; ++i) {
    if (i > 0) text += "\n\n";
    if (kind < 4) {
      const int last = static_cast<int>(word_problems_.template_count()) - 1;
      const auto chosen = static_cast<std::size_t>(draw.between(0, last));
      text += evaluation_text(word_problems_.draw(chosen, Side::kTraining, draw));
    } else if (kind < 8) {
      text += evaluation_text(draw_python_function(Side::kTraining, draw));
    } else {
      text += draw_state_tracking(draw);
    }
  }
  return text;
}

}  // namespace fbt::synthetic
