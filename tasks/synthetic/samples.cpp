#include "tasks/synthetic/samples.h"

#include <set>

#include <nlohmann/json.hpp>

#include "tasks/synthetic/python_function.h"
#include "tasks/synthetic/word_problem.h"

namespace fbt::synthetic {

std::string gsm8k_lines(Side side, int count, std::uint64_t seed) {
  const WordProblems problems;
  Draw draw(stable_hash("gsm8k", seed));
  std::set<std::string> seen;
  std::string lines;
  while (static_cast<int>(seen.size()) < count) {
    const std::size_t chosen = seen.size() % problems.template_count();
    const WordProblem problem = problems.draw(chosen, side, draw);
    if (!seen.insert(problem.question).second) continue;
    const nlohmann::ordered_json row{{"question", problem.question}, {"answer", problem.answer}};
    lines += row.dump() + "\n";
  }
  return lines;
}

std::string mbpp_lines(Side side, int count, int first_task_id, std::uint64_t seed) {
  Draw draw(stable_hash("mbpp", seed));
  std::set<std::string> seen;
  std::string lines;
  while (static_cast<int>(seen.size()) < count) {
    const int task_id = first_task_id + static_cast<int>(seen.size());
    const PythonFunction function = draw_python_function(side, draw);
    if (!seen.insert(function.spec).second) continue;
    const nlohmann::ordered_json row{
        {"text", function.text},       {"code", function.code},
        {"task_id", task_id},          {"test_setup_code", ""},
        {"test_list", function.tests}, {"challenge_test_list", nlohmann::json::array()}};
    lines += row.dump() + "\n";
  }
  return lines;
}

}  // namespace fbt::synthetic
