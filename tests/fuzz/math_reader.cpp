// The LaTeX reader and the comparison: two answers, split at the first line end.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scorers/math/equivalence.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fbt::scorers::math::equivalent;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const std::string_view gold = text.substr(0, line);
  const std::string_view predicted = line == std::string_view::npos ? gold : text.substr(line + 1);
  equivalent(gold, predicted);
  equivalent(predicted, gold);
  // Whatever is not empty equals itself.
  const auto self = equivalent(gold, gold);
  if (!self.equal && self.rule != "empty") std::abort();
  return 0;
}
