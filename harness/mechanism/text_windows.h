#pragma once

// The token sequences on which loss and stability are measured.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/task.h"

namespace fbt::mechanism {

struct TextWindows {
  std::string source;  // for people: the file's or task's name
  std::string hash;    // SHA-256 of all token ids
  std::vector<std::vector<int>> windows;
};

struct WindowOptions {
  int tokens = 512;  // of a window, the BOS in front included
  int limit = 32;    // first windows (or documents) only
};

// Text to ids, with BOS in front where the tokenizer puts one.
using TokenizeText = std::function<std::vector<int>(std::string_view)>;

// Consecutive windows, each with the BOS in front that a text has. What is left
// at the end, shorter than a window, is dropped unless it is all there is.
// Throws InputError for a text of fewer than 2 tokens and for windows that leave
// no room for 2.
TextWindows windows_of_text(std::string_view text, std::string_view name,
                            const TokenizeText& tokenize, const WindowOptions& options);

// One window a document, cut at the end where it is longer: its prompt followed
// by its right answer (multiple choice), or by the reference solution where the
// task has one.
TextWindows windows_of_documents(const tasks::Task& task, const tasks::PromptSet& prompts,
                                 const TokenizeText& tokenize, const WindowOptions& options);

}  // namespace fbt::mechanism
