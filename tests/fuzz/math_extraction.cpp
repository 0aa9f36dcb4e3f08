// Taking an answer out of a completion, for every scorer of mathematics.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scorers/gsm8k.h"
#include "scorers/math/extract.h"
#include "scorers/math/grade.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fbt::scorers;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto box = math::last_box(text)) {
    if (box->offset >= box->end || box->end > size) std::abort();
  }
  if (const auto answer = math::extract_answer(text)) {
    if (answer->offset > size || answer->answer.size() > size + 1000) std::abort();
  }
  const auto score = math::grade("42", text);
  if (score.answer_offset && *score.answer_offset > size) std::abort();
  for (const auto filter : {Gsm8kFilter::kStrict, Gsm8kFilter::kFlexible, Gsm8kFilter::kChat}) {
    const auto answer = extract_gsm8k(text, filter);
    if (answer && answer->offset > size) std::abort();
    score_gsm8k("42", text, filter);
  }
  return 0;
}
