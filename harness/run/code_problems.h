#pragma once

// The problem files of HumanEval and MBPP, as far as judging completions needs them.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace fbt {

struct HumanEvalProblem {
  std::string prompt;
  std::string test;
  std::string entry_point;
};

struct MbppProblem {
  std::string function;  // that the reference solution defines
  std::string test_setup_code;
  std::vector<std::string> test_list;
};

// By task id ("HumanEval/0"; "11"). Throw InputError naming file and line.
std::map<std::string, HumanEvalProblem> read_human_eval(const std::filesystem::path& file);
std::map<std::string, MbppProblem> read_mbpp(const std::filesystem::path& file);

// A task id as text: HumanEval's are strings; MBPP's numbers, which people also
// write as "11", "mbpp/11" or "Mbpp/11". Throws InputError (`where`: file and line).
std::string task_id_text(const nlohmann::json& id, const std::string& where);

// A member that must be a string. Throws InputError.
std::string text_member(const nlohmann::json& row, const char* key, const std::string& where);

// The whole program that judges a completion. `chat`: the completion is a chat
// answer, whose code stands in fenced blocks.
std::string judging_program(const HumanEvalProblem& problem, const std::string& completion,
                            bool chat);
std::string judging_program(const MbppProblem& problem, const std::string& completion, bool chat);

// The code that the program judges.
std::string judged_code(const HumanEvalProblem& problem, const std::string& completion, bool chat);
std::string judged_code(const MbppProblem& problem, const std::string& completion, bool chat);

}  // namespace fbt
