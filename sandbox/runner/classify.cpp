#include "sandbox/runner/classify.h"

#include <csignal>
#include <cstring>

#include <sys/wait.h>

namespace fbt::sandbox::runner {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

void conclude(Outcome& outcome, VerdictKind kind, std::string detail) {
  outcome.kind = kind;
  outcome.detail = std::move(detail);
}

std::string report_detail(const ProgramReport& report) {
  return {report.detail, ::strnlen(report.detail, sizeof report.detail)};
}

// The program's own account of the exception; any value may stand there.
VerdictKind exception_kind(const ProgramReport& report) {
  const auto kind = static_cast<VerdictKind>(report.exception_kind);
  return kind == VerdictKind::kSyntaxError || kind == VerdictKind::kMemory ? kind
                                                                           : VerdictKind::kFailed;
}

void classify_signal(int signal, Outcome& outcome) {
  const bool cpu_spent = outcome.cpu_seconds >= outcome.cpu_limit_seconds;
  if (signal == SIGSYS) {
    conclude(outcome, VerdictKind::kForbiddenSyscall, "a forbidden system call");
  } else if (signal == SIGXCPU || (signal == SIGKILL && cpu_spent)) {
    conclude(outcome, VerdictKind::kTimeout, "CPU time");
  } else if (signal == SIGKILL && outcome.oom_killed) {
    conclude(outcome, VerdictKind::kMemory, "killed at the memory limit");
  } else {
    outcome.signal = signal;
    conclude(outcome, VerdictKind::kSignal,
             "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")");
  }
}

}  // namespace

void classify(const ProgramReport& report, const ProgramEnd& end, const char* mark,
              Outcome& outcome) {
  outcome.cpu_seconds = seconds(end.usage.ru_utime) + seconds(end.usage.ru_stime);
  if (outcome.stop == Outcome::Stop::kOutput) {
    conclude(outcome, VerdictKind::kOutput, "too much output");
  } else if (outcome.stop == Outcome::Stop::kTime) {
    conclude(outcome, VerdictKind::kTimeout, "wall clock");
  } else if (report.forbidden_syscall != 0) {
    outcome.system_call = report.forbidden_syscall - 1;
    conclude(outcome, VerdictKind::kForbiddenSyscall, {});
  } else if (!WIFEXITED(end.wait_status)) {
    classify_signal(WTERMSIG(end.wait_status), outcome);
  } else if (report.stage == Stage::kJail) {
    outcome.fault = "the program's jail could not be closed: " + report_detail(report);
  } else if (report.stage == Stage::kEnded && WEXITSTATUS(end.wait_status) == 0 &&
             std::memcmp(report.mark, mark, kMarkBytes) == 0) {
    conclude(outcome, VerdictKind::kPassed, {});
  } else if (report.stage == Stage::kRaised) {
    conclude(outcome, exception_kind(report), report_detail(report));
  } else {
    conclude(
        outcome, VerdictKind::kFailed,
        "exited with status " + std::to_string(WEXITSTATUS(end.wait_status)) + " before its end");
  }
}

}  // namespace fbt::sandbox::runner
