#pragma once

// Generated problems as files in the formats of GSM8K and MBPP, one JSON object
// a line. Every problem of a file is different from the others.

#include <cstdint>
#include <string>

#include "tasks/synthetic/side.h"

namespace fbt::synthetic {

// {"question", "answer"}; templates taken in turn.
std::string gsm8k_lines(Side side, int count, std::uint64_t seed);

// {"text", "code", "task_id", "test_setup_code", "test_list", "challenge_test_list"},
// task ids counted from `first_task_id`.
std::string mbpp_lines(Side side, int count, int first_task_id, std::uint64_t seed);

}  // namespace fbt::synthetic
