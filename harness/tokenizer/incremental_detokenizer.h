#pragma once

// Text while its tokens arrive.

#include <memory>
#include <string>

#include "harness/tokenizer/tokenizer.h"

namespace fbt {

// The concatenation of all push() results and flush() equals
// Tokenizer::decode of the pushed ids. One object serves one completion; not
// thread-safe. The tokenizer must outlive it.
class IncrementalDetokenizer {
 public:
  explicit IncrementalDetokenizer(const Tokenizer& tokenizer, bool skip_special = false);
  ~IncrementalDetokenizer();
  IncrementalDetokenizer(IncrementalDetokenizer&&) noexcept;
  IncrementalDetokenizer& operator=(IncrementalDetokenizer&&) noexcept;

  // The text that `id` completes: never ends inside a UTF-8 sequence that later
  // tokens could complete. Bytes that can never become valid pass as they are.
  std::string push(int id);

  // What is held back (an unfinished UTF-8 sequence). Further push() calls
  // start a new text.
  std::string flush();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fbt
