#include "tests/support/program.h"

#include <sys/wait.h>

#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "tests/support/paths.h"

namespace fbt::testing {
namespace {

std::string quoted(const std::string& argument) {
  std::string text = "'";
  for (const char c : argument) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text += "'";
}

}  // namespace

ProgramResult run_fbt_eval(const std::vector<std::string>& arguments, std::string_view input,
                           double kill_after_seconds) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  write_file_atomically(file("input"), input);
  std::string command;
  if (kill_after_seconds > 0) command = fmt::format("timeout -s KILL {} ", kill_after_seconds);
  command += quoted(FBT_EVAL_PROGRAM);
  for (const std::string& argument : arguments) command.append(" ").append(quoted(argument));
  command += fmt::format(" <{} >{} 2>{}", quoted(file("input")), quoted(file("output")),
                         quoted(file("errors")));
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          read_file(file("output")), read_file(file("errors"))};
}

}  // namespace fbt::testing
