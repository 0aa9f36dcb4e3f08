// fbt-eval: see README.md. Parses the command line, runs one command, turns
// errors into one line on standard error and an exit status.

#include <cstdio>
#include <exception>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include "base/error.h"
#include "harness/cli/command.h"

namespace {

int report(fbt::ExitStatus status, const char* message) {
  std::fprintf(stderr, "fbt-eval: %s\n", message);
  return static_cast<int>(status);
}

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("fbt-eval"));
  spdlog::set_pattern("%^%l%$: %v");

  CLI::App app{"Benchmark harness for full-bandwidth transformers"};
  app.require_subcommand(0, 1);
  fbt::ExitStatus status = fbt::ExitStatus::kDone;

  fbt::cli::add_data_command(app, status);
  fbt::cli::add_detokenize_command(app, status);
#ifdef FBT_HAVE_TORCH
  fbt::cli::add_generate_command(app, status);
  fbt::cli::add_logits_command(app, status);
  fbt::cli::add_train_command(app, status);
#endif
  fbt::cli::add_grade_command(app, status);
  fbt::cli::add_model_command(app, status);
  fbt::cli::add_synthetic_command(app, status);
  fbt::cli::add_tasks_command(app, status);
  fbt::cli::add_tokenize_command(app, status);

  try {
    app.parse(argc, argv);
    return static_cast<int>(status);
  } catch (const CLI::ParseError& error) {
    // CLI11's own exit codes are above 100; help and version exit 0.
    return app.exit(error) == 0 ? 0 : static_cast<int>(fbt::ExitStatus::kBadInput);
  } catch (const fbt::Error& error) {
    return report(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return report(fbt::ExitStatus::kEnvironment,
                  "out of memory; try a smaller --batch-tokens or --cache-gb");
  } catch (const std::exception& error) {
    return report(fbt::ExitStatus::kEnvironment, error.what());
  }
}
