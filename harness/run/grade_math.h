#pragma once

// GSM8K and MATH-500: lines {"gold", "completion"}, or {"doc_id", "completion"}
// whose reference is looked up in the data folder (the document's number from 0, or
// MATH-500's unique_id). Lines are scored side by side and streamed: memory does
// not grow with the file.

#include "harness/run/grade.h"

namespace fbt {

void grade_gsm8k(const GradeRequest& request, const GradeSinks& sinks);
void grade_math500(const GradeRequest& request, const GradeSinks& sinks);

}  // namespace fbt
