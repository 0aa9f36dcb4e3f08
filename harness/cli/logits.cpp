// fbt-eval logits: logits at every position, for parity checks against a trainer.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_lines.h"
#include "harness/cli/command.h"
#include "harness/cli/engine_options.h"
#include "harness/cli/number_check.h"
#include "harness/decode/logits.h"

namespace fbt::cli {
namespace {

struct Arguments {
  EngineArguments engine;
  std::string tokens;
  std::string out;
  int feedback_steps = 0;
  std::int64_t plain_prefix = 0;
};

std::vector<std::vector<int>> read_rows(const std::string& path) {
  const nlohmann::json rows = parse_json(read_file(path), path);
  try {
    return rows.get<std::vector<std::vector<int>>>();
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("{}: expected rows of token ids: [[1, 2, 3], [4, 5]]", path));
  }
}

void run(const Arguments& arguments) {
  const auto rows = read_rows(arguments.tokens);
  nlohmann::json result = {{"rows", nlohmann::json::array()}};
  compute_logits(
      engine_options(arguments.engine), rows, arguments.feedback_steps, arguments.plain_prefix,
      [&](std::size_t row, std::span<const std::vector<double>> logits) {
        nlohmann::json by_position = nlohmann::json::array();
        for (const auto& position : logits) by_position.push_back(position);
        result["rows"].push_back({{"tokens", rows[row]}, {"logits", std::move(by_position)}});
      });
  write_file_atomically(arguments.out, dump_json(result) + "\n");
}

}  // namespace

void add_logits_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("logits", "Logits at every position, to compare with a trainer's");
  add_engine_options(*command, arguments->engine);
  command->add_option("--tokens", arguments->tokens, "JSON file: [[ids...], ...]")->required();
  command->add_option("--out", arguments->out, "JSON file to write")->required();
  command
      ->add_option("--feedback-steps", arguments->feedback_steps,
                   "Fused passes after the plain one")
      ->check(non_negative_number())
      ->capture_default_str();
  command
      ->add_option("--plain-prefix", arguments->plain_prefix, "Positions held plain in every pass")
      ->check(non_negative_number())
      ->capture_default_str();
  command->callback([arguments] { run(*arguments); });
}

}  // namespace fbt::cli
