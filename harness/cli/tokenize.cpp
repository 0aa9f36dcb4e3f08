// fbt-eval tokenize: text to token ids.

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_lines.h"
#include "base/utf8.h"
#include "harness/cli/command.h"
#include "harness/cli/input_stream.h"
#include "harness/tokenizer/tokenizer.h"

namespace fbt::cli {
namespace {

struct Options {
  std::string tokenizer;
  std::string input = "-";
  bool json_lines = false;
  bool no_special = false;
  bool bos = false;
};

std::vector<int> encode(const Tokenizer& tokenizer, const std::string& text, bool special,
                        bool bos) {
  std::vector<int> ids = tokenizer.encode(text, special);
  if (bos) ids.insert(ids.begin(), *tokenizer.bos_id());
  return ids;
}

void tokenize_text(const Options& options, const Tokenizer& tokenizer, InputStream& input) {
  const std::string text = input.read_all();
  if (!is_valid_utf8(text)) {
    throw InputError(fmt::format("{} is not UTF-8; convert it, e.g. with iconv", input.name()));
  }
  std::cout << fmt::format(
      "{}\n", fmt::join(encode(tokenizer, text, !options.no_special, options.bos), " "));
}

void tokenize_json_lines(const Options& options, const Tokenizer& tokenizer, InputStream& input) {
  for_each_json_line(input.stream(), input.name(), [&](nlohmann::json&& row, std::size_t line) {
    if (!row.is_object() || !row.contains("text") || !row["text"].is_string()) {
      throw InputError(
          fmt::format("{}:{} should be an object with a string 'text'", input.name(), line));
    }
    const auto special = row.find("special");
    if (special != row.end() && !special->is_boolean()) {
      throw InputError(fmt::format("{}:{}: 'special' should be true or false", input.name(), line));
    }
    const bool parse_special = special == row.end() ? !options.no_special : special->get<bool>();
    const auto ids =
        encode(tokenizer, row["text"].get_ref<const std::string&>(), parse_special, options.bos);
    std::cout << dump_json({{"ids", ids}}) << std::endl;  // for who waits for each answer
  });
}

}  // namespace

void add_tokenize_command(CLI::App& app, ExitStatus&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tokenize", "Turn text into token ids");
  command->add_option("--tokenizer", options->tokenizer, "tokenizer.json, or a folder with one")
      ->required();
  command->add_option("input", options->input, "File to read (-: standard input)")
      ->capture_default_str();
  command->add_flag(
      "--jsonl", options->json_lines,
      "Read lines {\"text\": …, \"special\": true|false}, write lines {\"ids\": […]}");
  command->add_flag("--no-special", options->no_special,
                    "Special tokens in the text are ordinary text");
  command->add_flag("--bos", options->bos, "Put the BOS token in front");
  command->callback([options] {
    const Tokenizer tokenizer = Tokenizer::load(options->tokenizer);
    if (options->bos && !tokenizer.bos_id()) {
      throw InputError(fmt::format("{} names no BOS token; leave out --bos", options->tokenizer));
    }
    InputStream input(options->input);
    (options->json_lines ? tokenize_json_lines : tokenize_text)(*options, tokenizer, input);
  });
}

}  // namespace fbt::cli
