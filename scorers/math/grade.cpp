#include "scorers/math/grade.h"

#include "scorers/math/equivalence.h"
#include "scorers/math/extract.h"

namespace fbt::scorers::math {

Score grade(std::string_view gold, std::string_view completion) {
  const auto gold_box = last_box(gold);
  const std::string_view reference = gold_box ? gold_box->content : gold;
  const auto extraction = extract_answer(completion);
  if (!extraction) return {false, "", "no_answer", std::nullopt};
  const Verdict verdict = equivalent(reference, extraction->answer);
  Score score;
  score.correct = verdict.equal;
  score.extracted = extraction->answer;
  score.rule = verdict.rule == "undecided"
                   ? std::string("undecided")
                   : std::string(extraction->rule) + ":" + std::string(verdict.rule);
  score.answer_offset = extraction->offset;
  return score;
}

}  // namespace fbt::scorers::math
