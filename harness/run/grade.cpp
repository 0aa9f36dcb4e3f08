#include "harness/run/grade.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"
#include "harness/run/grade_code.h"
#include "harness/run/grade_math.h"

namespace fbt {
namespace {

struct Grader {
  const char* task;
  void (*grade)(const GradeRequest&, const GradeSinks&);
};

constexpr Grader kGraders[] = {
    {"gsm8k", grade_gsm8k}, {"humaneval", grade_human_eval},    {"math500", grade_math500},
    {"mbpp", grade_mbpp},   {"minerva_math500", grade_math500},
};

}  // namespace

std::string to_json_line(const GradedLine& line) {
  nlohmann::json row = {{"index", line.index},
                        {"correct", line.correct},
                        {"extracted", line.extracted},
                        {"rule", line.rule}};
  for (const auto& [name, correct] : line.other) row[name] = correct;
  return dump_json(row);
}

void grade(const GradeRequest& request, const GradeSinks& sinks) {
  const auto grader = std::find_if(std::begin(kGraders), std::end(kGraders),
                                   [&](const Grader& each) { return request.task == each.task; });
  if (grader == std::end(kGraders)) {
    std::vector<std::string> known;
    for (const Grader& each : kGraders) known.emplace_back(each.task);
    throw InputError(unknown_name_message("task to grade", request.task, known));
  }
  grader->grade(request, sinks);
}

}  // namespace fbt
