#pragma once

// How an instruct checkpoint wants its turns wrapped.

#include <string>
#include <string_view>
#include <vector>

namespace fbt::tasks {

struct ChatFormat {
  struct Turn {
    std::string prefix;
    std::string suffix;
  };

  std::string name;
  std::string begin;  // before the first turn
  Turn system;
  Turn user;
  Turn assistant;
  // Ends an answer, beside the task's own stop strings.
  std::vector<std::string> stop;

  // One user turn, then the assistant's prefix.
  std::string wrap(std::string_view user_text) const;
};

// The built-in formats: plain, chatml, llama3, phi, nanochat.
std::vector<std::string> chat_format_names();

// A built-in format's name, or the path of a JSON file (docs/tasks.md).
// Throws InputError for unknown names and malformed files.
ChatFormat load_chat_format(const std::string& name_or_path);

}  // namespace fbt::tasks
