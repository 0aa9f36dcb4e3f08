// fbt-eval probe: what a linear classifier reads from the residual stream.

#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "harness/cli/checkpoint_record.h"
#include "harness/cli/command.h"
#include "harness/cli/model_experiment.h"
#include "harness/cli/number_check.h"
#include "harness/mechanism/probe.h"

namespace fbt::cli {
namespace {

struct Arguments {
  EngineArguments engine;
  RecordArguments record;
  mechanism::ProbeSettings settings;
  std::vector<int> feedback_steps = {1};
  std::vector<int> suffixes = {1, 2, 4};
  std::string svg;
  bool heat_map = false;
  std::string format = "table";
};

void run_command(Arguments& arguments) {
  const Checkpoint checkpoint = open_for(arguments.engine);
  mechanism::ProbeSettings& settings = arguments.settings;
  settings.conditions = mechanism::probe_conditions(arguments.feedback_steps, arguments.suffixes,
                                                    checkpoint.has_feedback());
  settings.threads = arguments.engine.options.threads;
  settings.dtype = arguments.engine.dtype;
  settings.record = record_options(arguments.record);
  const auto stream = make_pass_stream(engine_options(arguments.engine));
  const mechanism::ProbeResult result =
      mechanism::run_probe(settings, checkpoint_record(checkpoint), *stream);
  print_result(probe_tables(result), probe_json(result), arguments.format);
  if (arguments.heat_map && arguments.format != "json") {
    std::fputs(("\n" + probe_heat_map_text(result)).c_str(), stdout);
  }
  if (!arguments.svg.empty()) write_file_atomically(arguments.svg, probe_heat_map_svg(result));
}

}  // namespace

void add_probe_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  mechanism::ProbeSettings& settings = arguments->settings;
  CLI::App* command = app.add_subcommand(
      "probe", "What a linear probe reads from the residual stream, by layer and prefill");
  add_engine_options(*command, arguments->engine);
  const auto list = [](CLI::Option* option) { return option->delimiter(','); };
  list(command->add_option("--tasks", settings.tasks,
                           "completion, recall, registers-1 to -8, overwrites-2 to -8 "
                           "(default: all)"));
  list(command->add_option("--feedback-steps", arguments->feedback_steps,
                           "Fused passes over the whole text, a condition each"))
      ->capture_default_str();
  list(command->add_option("--suffix", arguments->suffixes,
                           "Last tokens that alone are fused, one after the other, a condition "
                           "each"))
      ->capture_default_str();
  list(command->add_option("--idle", settings.idle_updates,
                           "Idle updates before the colon (completion and recall)"))
      ->capture_default_str();
  command->add_option("--groups", settings.groups, "Groups of samples (default: as published)")
      ->check(positive_number());
  command->add_option("--register-values", settings.register_values, "Values of a register")
      ->check(number_between(2, 10))
      ->capture_default_str();
  command->add_option("--seed", settings.seed, "Of texts and folds")->capture_default_str();
  command->add_flag("--heat-map", arguments->heat_map, "Draw layers by conditions too");
  command->add_option("--svg", arguments->svg, "Write the heat maps as an SVG image");
  add_record_options(*command, arguments->record);
  add_format_option(*command, arguments->format);
  command->callback([arguments] { run_command(*arguments); });
}

}  // namespace fbt::cli
