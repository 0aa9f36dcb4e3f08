#pragma once

// `fbt-eval grade`: scores completions that were made elsewhere.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/pool.h"

namespace fbt {

struct GradeRequest {
  std::string task;
  std::filesystem::path input;                // JSON Lines (.gz too)
  std::filesystem::path data;                 // folder of the data sets
  std::filesystem::path problems;             // a problem file in place of the one in `data`
  std::vector<std::size_t> k = {1, 10, 100};  // pass@k for code, where samples suffice
  // Completions are chat answers: code is taken from their fenced blocks, and GSM8K's
  // answers are compared by value.
  bool chat = false;
  sandbox::Options sandbox;
};

// One line of standard output, in input order.
struct GradedLine {
  std::size_t index = 0;  // of the input line, from 0
  bool correct = false;
  std::string extracted;  // the answer or the code that was judged
  std::string rule;       // why
  // Verdicts by other rules, as GSM8K's "flexible_correct".
  std::vector<std::pair<std::string, bool>> other = {};
};

// {"index": ..., "correct": ..., "extracted": ..., "rule": ...} and the other verdicts
std::string to_json_line(const GradedLine& line);

struct GradeSinks {
  std::function<void(const GradedLine&)> line;
  std::function<void(const std::string&)> totals;   // code: {"pass@1": 0.5, ...}, last of all
  std::function<void(const std::string&)> summary;  // text for people, one line a call
};

// Chooses the grader by the task's name. Throws InputError for an unknown task
// and for input that cannot be used, EnvironmentError where programs could not
// be run (what could be graded has been written by then).
void grade(const GradeRequest& request, const GradeSinks& sinks);

}  // namespace fbt
