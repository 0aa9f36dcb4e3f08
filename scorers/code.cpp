#include "scorers/code.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace fbt::scorers {
namespace {

constexpr std::string_view kBlanks = " \t";

// Calls `visit(line, begin)` for every line without its end, until it returns false.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!visit(line, begin)) return;
    begin = end + 1;
  }
}

std::string_view without_indent(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(kBlanks), line.size()));
}

// The name after "def" or "async def" at the start of the line, which may be empty.
std::string_view defined_name(std::string_view line) {
  if (line.starts_with("async ")) line = without_indent(line.substr(6));
  if (!line.starts_with("def ")) return {};
  line = without_indent(line.substr(4));
  return line.substr(0, line.find_first_of("( \t["));
}

// Where the line that defines `function` at top level begins.
std::optional<std::size_t> find_definition(std::string_view code, std::string_view function) {
  std::optional<std::size_t> found;
  for_each_line(code, [&](std::string_view line, std::size_t begin) {
    if (!function.empty() && defined_name(line) == function) found = begin;
    return !found;
  });
  return found;
}

struct Block {
  bool python = false;
  std::string code;
};

bool is_python(std::string_view info) {
  info = without_indent(info);
  info = info.substr(0, info.find_first_of(" \t{"));
  return info == "python" || info == "python3" || info == "py" || info == "Python";
}

std::vector<Block> fenced_blocks(std::string_view text) {
  std::vector<Block> blocks;
  std::string_view fence;  // of the block we are in; empty outside
  for_each_line(text, [&](std::string_view line, std::size_t) {
    const std::string_view bare = without_indent(line);
    const std::size_t marks =
        bare.empty() ? 0 : std::min(bare.find_first_not_of(bare[0]), bare.size());
    const bool is_fence = marks >= 3 && (bare[0] == '`' || bare[0] == '~');
    if (fence.empty()) {
      if (is_fence) {
        fence = bare.substr(0, marks);
        blocks.push_back({is_python(bare.substr(marks)), {}});
      }
    } else if (is_fence && bare[0] == fence[0] && marks >= fence.size() &&
               without_indent(bare.substr(marks)).empty()) {
      fence = {};
    } else {
      blocks.back().code.append(line).push_back('\n');
    }
    return true;
  });
  return blocks;
}

void append_line(std::string& program, std::string_view text) {
  program.append(text).push_back('\n');
}

}  // namespace

std::string cut_at_stop(std::string_view completion, std::span<const std::string> stop) {
  std::size_t end = completion.size();
  for (const std::string& text : stop) {
    if (!text.empty()) end = std::min(end, completion.find(text));
  }
  return std::string(completion.substr(0, end));
}

std::string code_from_chat(std::string_view answer, std::string_view function) {
  const std::vector<Block> blocks = fenced_blocks(answer);
  if (blocks.empty()) return std::string(answer);
  for (const Block& block : blocks) {
    if (find_definition(block.code, function)) return block.code;
  }
  const auto python =
      std::find_if(blocks.begin(), blocks.end(), [](const Block& block) { return block.python; });
  return (python == blocks.end() ? blocks.front() : *python).code;
}

std::string last_function(std::string_view code) {
  std::string last;
  for_each_line(code, [&](std::string_view line, std::size_t) {
    if (const std::string_view name = defined_name(line); !name.empty()) last = name;
    return true;
  });
  return last;
}

std::string human_eval_program(std::string_view prompt, std::string_view completion,
                               std::string_view test, std::string_view entry_point) {
  std::string program;
  program.append(prompt);
  append_line(program, completion);
  append_line(program, test);
  program.append("check(").append(entry_point).append(")");
  return program;
}

std::string human_eval_chat_program(std::string_view prompt, std::string_view code,
                                    std::string_view test, std::string_view entry_point) {
  if (!find_definition(code, entry_point)) {
    return human_eval_program(prompt, code, test, entry_point);
  }
  const std::size_t preamble = find_definition(prompt, entry_point).value_or(0);
  return human_eval_program(prompt.substr(0, preamble), code, test, entry_point);
}

std::string mbpp_program(std::string_view code, std::string_view test_setup_code,
                         std::span<const std::string> test_list) {
  std::string program;
  append_line(program, code);
  append_line(program, test_setup_code);
  for (const std::string& test : test_list) append_line(program, test);
  return program;
}

}  // namespace fbt::scorers
