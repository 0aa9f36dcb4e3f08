#include "harness/cli/model_experiment.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "harness/cli/number_check.h"
#include "harness/run/execute.h"
#include "tasks/registry.h"

namespace fbt::cli {

Checkpoint open_for(const EngineArguments& arguments) {
  const TorchBackendOptions options = engine_options(arguments);
  return open_checkpoint(options.checkpoint, options.weight_seed);
}

void require_feedback(const Checkpoint& checkpoint, const char* command) {
  if (checkpoint.has_feedback()) return;
  throw InputError(fmt::format(
      "{}: the checkpoint {} has no feedback weights (latent_feedback is false in {}), so there "
      "are no feedback steps to measure; give a full-bandwidth checkpoint",
      command, checkpoint.facts.name, checkpoint.config_path.string()));
}

mechanism::RecordOptions record_options(const RecordArguments& arguments) {
  return {.database = arguments.database,
          .shard = run::parse_shard(arguments.shard),
          .fresh = arguments.fresh};
}

void add_text_options(CLI::App& command, TextArguments& arguments) {
  const char* group = "Text";
  command.add_option("--text", arguments.file, "Text file whose loss is measured (.gz too)")
      ->check(CLI::ExistingFile)
      ->group(group);
  command
      .add_option("--text-task", arguments.task,
                  "A task in place of a file: its prompts with their right answers")
      ->group(group);
  command.add_option("--window", arguments.windows.tokens, "Tokens of a window (or document)")
      ->check(number_between(3, 1'000'000))
      ->capture_default_str()
      ->group(group);
  command.add_option("--windows", arguments.windows.limit, "First windows (or documents) only")
      ->check(positive_number())
      ->capture_default_str()
      ->group(group);
}

mechanism::TextWindows read_windows(const TextArguments& arguments,
                                    const std::string& checkpoint_spec, const PassStream& stream) {
  mechanism::WindowOptions windows = arguments.windows;
  windows.tokens = std::min(windows.tokens, stream.context_length());
  const auto tokenize = [&](std::string_view text) { return stream.tokenize(text); };
  if (!arguments.file.empty()) {
    return mechanism::windows_of_text(read_file(arguments.file), arguments.file, tokenize, windows);
  }
  run::RunOptions options;
  options.checkpoint = checkpoint_spec;
  options.data = arguments.data;
  tasks::Registry registry;
  const tasks::Selection selection =
      registry.resolve({arguments.task}, tasks::DataSource(run::data_folder_for(options)));
  if (selection.tasks.size() != 1) {
    throw InputError(fmt::format("--text-task {} is a group; name one task", arguments.task));
  }
  const tasks::Task& task = *selection.tasks.front();
  return mechanism::windows_of_documents(task, *task.prompts({}), tokenize, windows);
}

}  // namespace fbt::cli
