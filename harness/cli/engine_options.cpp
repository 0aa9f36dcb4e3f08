#include "harness/cli/engine_options.h"

#include "harness/cli/demo_checkpoint.h"
#include "harness/cli/number_check.h"

namespace fbt::cli {

void add_engine_options(CLI::App& command, EngineArguments& arguments) {
  TorchBackendOptions& options = arguments.options;
  command
      .add_option("--checkpoint", options.checkpoint,
                  "Checkpoint folder, demo, or random:CONFIG.json")
      ->required();
  command.add_option("--tokenizer", options.tokenizer,
                     "tokenizer.json in place of the checkpoint's");
  command.add_option("--weight-seed", options.weight_seed, "Of random: weights")
      ->capture_default_str();

  const char* machine = "Machine";
  command.add_option("--dtype", arguments.dtype, "float32, bfloat16 or float32-fast")
      ->capture_default_str()
      ->group(machine);
  command.add_option("--device", options.device, kDeviceHelp)
      ->capture_default_str()
      ->group(machine);
  command.add_option("--threads", options.threads, "Of the model (default: all cores)")
      ->check(non_negative_number())
      ->group(machine);
  command.add_option("--batch-tokens", options.batch_tokens, "Tokens of one prefill pass")
      ->check(positive_number())
      ->capture_default_str()
      ->group(machine);
  command
      .add_option("--cache-gb", options.cache_gb,
                  "Key/value cache (default: a share of the free memory)")
      ->check(non_negative_number())
      ->group(machine);
  command
      .add_flag("--batch-invariant", options.batch_invariant,
                "The same bits whatever runs beside a row (slower)")
      ->group(machine);
}

TorchBackendOptions engine_options(const EngineArguments& arguments) {
  TorchBackendOptions options = arguments.options;
  options.checkpoint = resolve_checkpoint(options.checkpoint);
  options.dtype = parse_dtype(arguments.dtype);
  return options;
}

}  // namespace fbt::cli
