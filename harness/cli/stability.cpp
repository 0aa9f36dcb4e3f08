// fbt-eval stability: loss and movement of the states per feedback step.

#include <memory>

#include <nlohmann/json.hpp>

#include "harness/cli/checkpoint_record.h"
#include "harness/cli/command.h"
#include "harness/cli/model_experiment.h"
#include "harness/cli/number_check.h"
#include "harness/mechanism/stability.h"

namespace fbt::cli {
namespace {

struct Arguments {
  EngineArguments engine;
  TextArguments text;
  RecordArguments record;
  int steps = 16;
  double tolerance = 1e-3;
  std::string format = "table";
};

void run_command(const Arguments& arguments) {
  if (arguments.text.file.empty() == arguments.text.task.empty()) {
    throw InputError("stability: give either --text FILE or --text-task NAME");
  }
  const Checkpoint checkpoint = open_for(arguments.engine);
  require_feedback(checkpoint, "stability");
  mechanism::StabilityOptions options;
  options.steps = arguments.steps;
  options.convergence.tolerance = arguments.tolerance;
  options.dtype = arguments.engine.dtype;
  options.record = record_options(arguments.record);
  const auto stream = make_pass_stream(engine_options(arguments.engine));
  const mechanism::TextWindows text =
      read_windows(arguments.text, arguments.engine.options.checkpoint, *stream);
  const mechanism::StabilityResult result =
      mechanism::run_stability(options, checkpoint_record(checkpoint), text, *stream);
  print_result({stability_table(result)}, stability_json(result), arguments.format);
}

}  // namespace

void add_stability_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "stability", "Loss and movement of the states over many feedback steps: do they converge?");
  add_engine_options(*command, arguments->engine);
  add_text_options(*command, arguments->text);
  command->add_option("--data", arguments->text.data, "Folder of the data sets, or samples")
      ->group("Text");
  command->add_option("--steps", arguments->steps, "Feedback steps beyond the plain pass")
      ->check(number_between(1, 1000))
      ->capture_default_str();
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "Of the loss, in nats a token: below it a change counts as none")
      ->check(positive_number())
      ->capture_default_str();
  add_record_options(*command, arguments->record);
  add_format_option(*command, arguments->format);
  command->callback([arguments] { run_command(*arguments); });
}

}  // namespace fbt::cli
