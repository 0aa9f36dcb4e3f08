#pragma once

// Word problems in GSM8K's format: a question, and an answer that works it out
// in one to four steps with calculator annotations and ends in "#### n".
//
// The templates are data (word_problems.json, embedded): ranges of the numbers,
// the question, and for each step its result's name, the arithmetic and the
// sentence. All numbers are whole and lie in 1 … 99.

#include <string>
#include <string_view>
#include <vector>

#include "tasks/synthetic/draw.h"
#include "tasks/synthetic/side.h"

namespace fbt::synthetic {

struct WordProblem {
  std::string question;
  std::string answer;
  int result = 0;       // the n of "#### n"
  std::string numbers;  // template and numbers, as "bus a=12 b=3 c=7": what Side splits
};

// The templates' JSON text.
std::string_view word_problem_templates();

class WordProblems {
 public:
  // Reads the embedded templates, or `json` (InputError names `source` and the template).
  WordProblems();
  WordProblems(std::string_view json, std::string_view source);
  ~WordProblems();
  WordProblems(WordProblems&&) noexcept;
  WordProblems& operator=(WordProblems&&) noexcept;

  std::size_t template_count() const;

  // A problem of that template. Its numbers, and the person in its main part,
  // belong to `side`: this template never has either on the other side.
  WordProblem draw(std::size_t template_index, Side side, Draw& draw) const;

 private:
  struct Template;
  std::vector<std::string> people_;
  std::vector<std::pair<std::string, std::vector<std::string>>> words_;
  std::vector<Template> templates_;
};

}  // namespace fbt::synthetic
