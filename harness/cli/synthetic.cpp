// fbt-eval synthetic: writes what the generators of tasks/synthetic make.

#include <cstdio>
#include <memory>
#include <string>

#include "base/json_lines.h"
#include "harness/cli/command.h"
#include "harness/cli/number_check.h"
#include "tasks/synthetic/samples.h"
#include "tasks/synthetic/training_text.h"

namespace fbt::cli {
namespace {

struct Options {
  std::string kind;
  std::string side = "held-out";
  int count = 64;
  int first_task_id = 11;
  std::uint64_t seed = 1;
};

std::string make(const Options& options) {
  if (options.kind == "text") {
    const synthetic::TrainingText text(options.seed);
    std::string lines;
    for (int i = 0; i < options.count; ++i) {
      const auto index = static_cast<std::uint64_t>(i);
      lines += dump_json({{"text", text.document(index)}}) + "\n";
    }
    return lines;
  }
  const synthetic::Side side = synthetic::parse_side(options.side);
  if (options.kind == "gsm8k") return synthetic::gsm8k_lines(side, options.count, options.seed);
  if (options.kind == "mbpp") {
    return synthetic::mbpp_lines(side, options.count, options.first_task_id, options.seed);
  }
  throw InputError(unknown_name_message("kind", options.kind, {"text", "gsm8k", "mbpp"}));
}

}  // namespace

void add_synthetic_command(CLI::App& app, ExitStatus&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "synthetic", "Write generated problems (JSON Lines): training text, or samples of a task");
  command->add_option("kind", options->kind, "text, gsm8k or mbpp")->required();
  command->add_option("--side", options->side, "training or held-out (text is always training)")
      ->capture_default_str();
  command->add_option("--count", options->count, "Documents or problems")
      ->check(non_negative_number())
      ->capture_default_str();
  command->add_option("--first-task-id", options->first_task_id, "Of mbpp rows")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Names the draw")->capture_default_str();
  command->callback([options] { std::fputs(make(*options).c_str(), stdout); });
}

}  // namespace fbt::cli
