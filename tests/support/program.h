#pragma once

// Runs fbt-eval as a user does. Test programs that include this depend on the
// target fbt-eval (add_dependencies).

#include <string>
#include <string_view>
#include <vector>

namespace fbt::testing {

struct ProgramResult {
  int status = -1;  // exit status; 128 + signal where one ended it
  std::string output;
  std::string errors;
};

// fbt-eval with `arguments`, `input` as its standard input.
ProgramResult run_fbt_eval(const std::vector<std::string>& arguments, std::string_view input = "");

}  // namespace fbt::testing
