#pragma once

// Small Python functions in MBPP's format: a task in words, a reference
// solution and three tests. A function is a pipeline of one to three steps over
// a list, a number or a string ("add 3 to every number of a list, then sort it,
// then return the sum"); the steps are computed here as Python would, so the
// tests are right without running Python.

#include <array>
#include <string>

#include "tasks/synthetic/draw.h"
#include "tasks/synthetic/side.h"

namespace fbt::synthetic {

struct PythonFunction {
  std::string text;                  // the task
  std::string name;                  // of the function, as add_sort_sum
  std::string code;                  // the reference solution, lines end in '\n' but for the last
  std::array<std::string, 3> tests;  // "assert add_sort_sum([4, 1, 7]) == 21"
  std::string spec;  // steps and constants, as "list add 3 sort sum": what Side splits
};

PythonFunction draw_python_function(Side side, Draw& draw);

}  // namespace fbt::synthetic
