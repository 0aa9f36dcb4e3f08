#pragma once

// Training documents: several problems in a row, written as lm-eval writes
// few-shot prompts, so that a few-shot prompt is nothing new to the model.

#include <cstdint>
#include <string>

#include "tasks/synthetic/python_function.h"
#include "tasks/synthetic/word_problem.h"

namespace fbt::synthetic {

// "Question: …\nAnswer: …"
std::string evaluation_text(const WordProblem& problem);
// "You are an expert Python programmer, …[BEGIN]\n…\n[DONE]"
std::string evaluation_text(const PythonFunction& function);

class TrainingText {
 public:
  explicit TrainingText(std::uint64_t seed) : seed_(seed) {}

  // The document of that index: the same at every call, all from the training
  // side. Four in ten hold word problems, four Python functions, two state tracking.
  std::string document(std::uint64_t index) const;

 private:
  std::uint64_t seed_;
  WordProblems word_problems_;
};

}  // namespace fbt::synthetic
