// fbt-eval: see README.md. Parses the command line, runs one command, turns
// errors into one line on standard error and an exit status.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/version.h"
#include "harness/cli/command.h"
#include "harness/cli/usage_error.h"

namespace {

int report(fbt::ExitStatus status, std::string_view message) {
  // Libraries' messages may run on over many lines, as LibTorch's with its back-trace.
  const std::string line(message.substr(0, message.find('\n')));
  std::fprintf(stderr, "fbt-eval: %s\n", line.c_str());
  return static_cast<int>(status);
}

// The arguments. "run" may be left out: fbt-eval --tasks gsm8k is
// fbt-eval run --tasks gsm8k.
std::vector<std::string> arguments(int argc, char** argv) {
  constexpr std::string_view kOfTheProgram[] = {"-h", "--help", "--help-all", "--version"};
  std::vector<std::string> list(argv + 1, argv + argc);
  const bool of_the_program =
      !list.empty() && std::find(std::begin(kOfTheProgram), std::end(kOfTheProgram),
                                 list.front()) != std::end(kOfTheProgram);
  if (list.empty()) {
    list = {"--help"};
  } else if (list.front().starts_with('-') && !of_the_program) {
    list.insert(list.begin(), "run");
  }
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("fbt-eval"));
  spdlog::set_pattern("%^%l%$: %v");

  CLI::App app{"Benchmark harness for full-bandwidth transformers"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fbt::kVersion);
  fbt::ExitStatus status = fbt::ExitStatus::kDone;

#ifdef FBT_HAVE_TORCH
  fbt::cli::add_run_command(app, status);
  fbt::cli::add_doctor_command(app, status);
  fbt::cli::add_generate_command(app, status);
  fbt::cli::add_logits_command(app, status);
  fbt::cli::add_probe_command(app, status);
  fbt::cli::add_stability_command(app, status);
  fbt::cli::add_sweep_command(app, status);
  fbt::cli::add_train_command(app, status);
#endif
  fbt::cli::add_compare_command(app, status);
  fbt::cli::add_data_command(app, status);
  fbt::cli::add_detokenize_command(app, status);
  fbt::cli::add_export_command(app, status);
  fbt::cli::add_gate_command(app, status);
  fbt::cli::add_grade_command(app, status);
  fbt::cli::add_merge_command(app, status);
  fbt::cli::add_model_command(app, status);
  fbt::cli::add_regrade_command(app, status);
  fbt::cli::add_report_command(app, status);
  fbt::cli::add_synthetic_command(app, status);
  fbt::cli::add_tasks_command(app, status);
  fbt::cli::add_tokenize_command(app, status);
  fbt::cli::add_traces_command(app, status);

  const std::vector<std::string> given = arguments(argc, argv);
  try {
    app.parse(
        std::vector<std::string>(given.rbegin(), given.rend()));  // CLI11 takes the last first
    return static_cast<int>(status);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help, version
    return report(fbt::ExitStatus::kBadInput, fbt::cli::usage_message(app, given, error));
  } catch (const fbt::Error& error) {
    return report(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return report(fbt::ExitStatus::kEnvironment,
                  "out of memory; try a smaller --batch-tokens or --cache-gb");
  } catch (const std::exception& error) {
    return report(fbt::ExitStatus::kEnvironment, error.what());
  }
}
