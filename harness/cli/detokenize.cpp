// fbt-eval detokenize: token ids to text.

#include <charconv>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/json_lines.h"
#include "harness/cli/command.h"
#include "harness/cli/input_stream.h"
#include "harness/tokenizer/incremental_detokenizer.h"
#include "harness/tokenizer/tokenizer.h"

namespace fbt::cli {
namespace {

struct Options {
  std::string tokenizer;
  std::string input = "-";
  bool json_lines = false;
  bool skip_special = false;
};

// The id that `text` spells. Throws InputError, naming `where`, for one that names no token.
int checked_id(const Tokenizer& tokenizer, std::string_view text, std::string_view where) {
  int id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && end == text.data() + text.size() && tokenizer.has_token(id)) {
    return id;
  }
  throw InputError(fmt::format("{}: '{}' names no token; ids are whole numbers from 0 to {}", where,
                               text, tokenizer.vocab_size() - 1));
}

// Ids separated by white space or commas; text goes out as it is completed.
void detokenize_text(const Options& options, const Tokenizer& tokenizer, InputStream& input) {
  IncrementalDetokenizer detokenizer(tokenizer, options.skip_special);
  const std::string separators = " \t\r\n,[]";
  std::string number;
  const auto end_number = [&] {
    if (number.empty()) return;
    std::cout << detokenizer.push(checked_id(tokenizer, number, input.name()));
    number.clear();
  };
  for (char c; input.stream().get(c);) {
    if (separators.find(c) == std::string::npos) {
      number += c;
    } else {
      end_number();
    }
  }
  end_number();
  std::cout << detokenizer.flush();
}

void detokenize_json_lines(const Options& options, const Tokenizer& tokenizer, InputStream& input) {
  for_each_json_line(input.stream(), input.name(), [&](nlohmann::json&& row, std::size_t line) {
    const std::string where = fmt::format("{}:{}", input.name(), line);
    if (!row.is_object() || !row.contains("ids") || !row["ids"].is_array()) {
      throw InputError(fmt::format("{} should be an object with an array 'ids'", where));
    }
    std::vector<int> ids;
    for (const auto& id : row["ids"]) ids.push_back(checked_id(tokenizer, dump_json(id), where));
    std::cout << dump_json({{"text", tokenizer.decode(ids, options.skip_special)}}) << std::endl;
  });
}

}  // namespace

void add_detokenize_command(CLI::App& app, ExitStatus&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("detokenize", "Turn token ids into text");
  command->add_option("--tokenizer", options->tokenizer, "tokenizer.json, or a folder with one")
      ->required();
  command->add_option("input", options->input, "File to read (-: standard input)")
      ->capture_default_str();
  command->add_flag("--jsonl", options->json_lines,
                    "Read lines {\"ids\": […]}, write lines {\"text\": …}");
  command->add_flag("--skip-special", options->skip_special, "Leave special tokens out");
  command->callback([options] {
    const Tokenizer tokenizer = Tokenizer::load(options->tokenizer);
    InputStream input(options->input);
    (options->json_lines ? detokenize_json_lines : detokenize_text)(*options, tokenizer, input);
  });
}

}  // namespace fbt::cli
