// fbt-eval model info: what a checkpoint is, without loading its weights.

#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.h"
#include "harness/cli/command.h"
#include "harness/model/checkpoint.h"
#include "harness/model/safetensors.h"
#include "harness/model/tensor_list.h"

namespace fbt::cli {
namespace {

nlohmann::ordered_json describe(const Checkpoint& checkpoint) {
  const ParameterCounts counts = count_parameters(checkpoint.config);
  const CheckpointFacts& facts = checkpoint.facts;
  nlohmann::ordered_json result = {{"name", facts.name},
                                   {"family", family_name(facts.family)},
                                   {"stage", stage_name(facts.stage)}};
  if (facts.train_tokens) result["train_tokens"] = *facts.train_tokens;
  if (facts.average_passes) result["average_passes"] = *facts.average_passes;
  if (!facts.chat_format.empty()) result["chat_format"] = facts.chat_format;
  result["context"] = checkpoint.config.max_position_embeddings;
  result["layers"] = checkpoint.config.num_hidden_layers;
  result["hidden_size"] = checkpoint.config.hidden_size;
  result["vocab_size"] = checkpoint.config.vocab_size;
  result["parameters"] = {
      {"embedding", counts.embedding}, {"attention", counts.attention}, {"mlp", counts.mlp},
      {"norm", counts.norm},           {"feedback", counts.feedback},   {"total", counts.total()}};
  result["feedback_share"] = counts.feedback_share();
  return result;
}

void print(const nlohmann::ordered_json& facts) {
  for (const auto& [key, value] : facts.items()) {
    if (key == "parameters") {
      for (const auto& [group, count] : value.items()) {
        std::cout << fmt::format("{:<24}{:>16}\n", "parameters, " + group, count.dump());
      }
    } else if (key == "feedback_share") {
      std::cout << fmt::format("{:<24}{:>15.3f}%\n", "feedback share", 100 * value.get<double>());
    } else {
      std::cout << fmt::format("{:<24}{:>16}\n", key,
                               value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

}  // namespace

void add_model_command(CLI::App& app, ExitStatus&) {
  CLI::App* command = app.add_subcommand("model", "What a checkpoint is");
  command->require_subcommand(1);
  CLI::App* info =
      command->add_subcommand("info", "Facts and parameters by group; checks the weight files");
  auto spec = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto hash = std::make_shared<bool>(false);
  info->add_option("checkpoint,--checkpoint", *spec, "Checkpoint folder, or random:CONFIG.json")
      ->required();
  info->add_flag("--json", *json, "One JSON object on standard output");
  info->add_flag("--hash", *hash, "The content's SHA-256 too (reads all weights)");
  info->callback([spec, json, hash] {
    const Checkpoint checkpoint = open_checkpoint(*spec);
    if (!checkpoint.random) {
      SafetensorsReader(checkpoint.weight_files).check(tensor_list(checkpoint.config));
    }
    nlohmann::ordered_json facts = describe(checkpoint);
    if (*hash) facts["hash"] = checkpoint_hash(checkpoint);
    if (*json) {
      std::cout << dump_json(facts) << '\n';
    } else {
      print(facts);
    }
  });
}

}  // namespace fbt::cli
