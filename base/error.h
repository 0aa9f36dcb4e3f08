#pragma once

// Errors that reach the user, and the exit status each one means (DESIGN.md §5).
//
// Every message is one line that says what is wrong, where (file, line, key or
// value) and what to do about it. Code that cannot do its job throws one of
// these; only harness/cli catches them.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fbt {

enum class ExitStatus : int {
  kDone = 0,
  kGateFailed = 1,
  kBadInput = 2,     // bad arguments, files or data
  kInterrupted = 3,  // progress kept
  kEnvironment = 4,  // internal fault, or the machine's: no memory, no sandbox
};

class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

// What the user gave cannot be used: exit status 2.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(ExitStatus::kBadInput, message) {}
};

// The machine or the program failed, not the input: exit status 4.
class EnvironmentError : public Error {
 public:
  explicit EnvironmentError(const std::string& message)
      : Error(ExitStatus::kEnvironment, message) {}
};

// The user stopped the run; what was done is kept: exit status 3.
class InterruptedError : public Error {
 public:
  explicit InterruptedError(const std::string& message)
      : Error(ExitStatus::kInterrupted, message) {}
};

// Names from `known` that `wrong` may have meant, nearest first (Levenshtein
// distance, at most two or a third of the longer name, at most three names).
std::vector<std::string> nearest_names(std::string_view wrong,
                                       const std::vector<std::string>& known);

// "unknown task 'gms8k'; did you mean gsm8k?" or, without a near name,
// "unknown task 'foo'; known: a, b, c".
std::string unknown_name_message(std::string_view kind, std::string_view wrong,
                                 const std::vector<std::string>& known);

}  // namespace fbt
