#include "tests/support/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <thread>

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

int exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Starts fbt-eval with its streams in files. Returns its process id.
pid_t start_fbt_eval(const std::vector<std::string>& arguments, const std::string& output,
                     const std::string& errors) {
  std::vector<char*> list;
  std::string program = FBT_EVAL_PROGRAM;
  std::vector<std::string> texts = arguments;
  list.push_back(program.data());
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, output.c_str(), kNew, 0600);
  posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, errors.c_str(), kNew, 0600);
  pid_t process = 0;
  const int error = posix_spawn(&process, program.c_str(), &streams, nullptr, list.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
  return process;
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
  return {exit_status(status), read_file(file("output")), read_file(file("errors"))};
}

ProgramResult interrupt_fbt_eval(const std::vector<std::string>& arguments, std::string_view sign) {
  const TemporaryFolder folder;
  const std::string output = folder.path() / "output", errors = folder.path() / "errors";
  const pid_t process = start_fbt_eval(arguments, output, errors);
  int status = 0;
  bool sent = false;
  for (;;) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) break;
    if (!sent && std::filesystem::exists(errors) &&
        read_file(errors).find(sign) != std::string::npos) {
      sent = kill(process, SIGINT) == 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {exit_status(status), read_file(output), read_file(errors)};
}

}  // namespace fbt::testing
