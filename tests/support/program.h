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

// fbt-eval with `arguments`, `input` as its standard input. With
// `kill_after_seconds` above 0 it is killed (SIGKILL) after so long.
ProgramResult run_fbt_eval(const std::vector<std::string>& arguments, std::string_view input = "",
                           double kill_after_seconds = 0);

// fbt-eval with `arguments`, interrupted (SIGINT) as soon as its standard error
// contains `sign`. Where that never comes it runs to its end.
ProgramResult interrupt_fbt_eval(const std::vector<std::string>& arguments, std::string_view sign);

}  // namespace fbt::testing
