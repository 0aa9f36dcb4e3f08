// The reader of tokenizer.json, and encoding and decoding with whatever it
// accepts. Bad files must end in InputError, nothing else.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "harness/tokenizer/incremental_detokenizer.h"
#include "harness/tokenizer/tokenizer.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void use(const fbt::Tokenizer& tokenizer, std::string_view text, bool parse_special) {
  const std::vector<int> ids = tokenizer.encode(text, parse_special);
  fbt::IncrementalDetokenizer detokenizer(tokenizer);
  std::string pieces;
  for (const int id : ids) {
    check(tokenizer.has_token(id));
    pieces += detokenizer.push(id);
  }
  pieces += detokenizer.flush();
  check(pieces == tokenizer.decode(ids));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = fbt::Tokenizer::from_json(input, "fuzz");
    const std::string_view some = input.substr(0, 256);
    for (const std::string_view text :
         {std::string_view("a b  ab\n\xE2\x96\x81 1234 \xC3\xA9 \xFF<s>"), some}) {
      use(tokenizer, text, true);
      use(tokenizer, text, false);
    }
  } catch (const fbt::InputError&) {
    // What a bad file should give.
  }
  return 0;
}
