#include "harness/run/code_problems.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"
#include "scorers/code.h"

namespace fbt {
namespace {

using nlohmann::json;

std::string place(const std::filesystem::path& file, std::size_t line) {
  return fmt::format("{}:{}", file.string(), line);
}

std::vector<std::string> texts_member(const json& row, const char* key, const std::string& where) {
  const auto found = row.find(key);
  const auto is_text = [](const json& each) { return each.is_string(); };
  if (found == row.end() || !found->is_array() ||
      !std::all_of(found->begin(), found->end(), is_text)) {
    throw InputError(fmt::format("{}: \"{}\" must be a list of strings", where, key));
  }
  return found->get<std::vector<std::string>>();
}

template <typename Problem, typename Read>
std::map<std::string, Problem> read_problems(const std::filesystem::path& file, Read read) {
  std::map<std::string, Problem> problems;
  for_each_json_line(file, [&](json&& row, std::size_t line) {
    const std::string where = place(file, line);
    if (!row.is_object()) throw InputError(where + ": a problem must be a JSON object");
    problems[task_id_text(row.value("task_id", json()), where)] = read(row, where);
  });
  if (problems.empty()) throw InputError(file.string() + " holds no problems");
  return problems;
}

}  // namespace

std::string text_member(const json& row, const char* key, const std::string& where) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_string()) {
    throw InputError(fmt::format("{}: \"{}\" must be a string", where, key));
  }
  return found->get<std::string>();
}

std::string task_id_text(const json& id, const std::string& where) {
  if (id.is_number_integer()) return std::to_string(id.get<long long>());
  if (!id.is_string()) throw InputError(where + ": \"task_id\" must be a string or a number");
  std::string text = id.get<std::string>();
  for (const std::string_view prefix : {"mbpp/", "Mbpp/", "MBPP/"}) {
    if (text.starts_with(prefix)) return text.substr(prefix.size());
  }
  return text;
}

std::map<std::string, HumanEvalProblem> read_human_eval(const std::filesystem::path& file) {
  return read_problems<HumanEvalProblem>(file, [](const json& row, const std::string& where) {
    return HumanEvalProblem{text_member(row, "prompt", where), text_member(row, "test", where),
                            text_member(row, "entry_point", where)};
  });
}

std::map<std::string, MbppProblem> read_mbpp(const std::filesystem::path& file) {
  return read_problems<MbppProblem>(file, [](const json& row, const std::string& where) {
    return MbppProblem{scorers::last_function(text_member(row, "code", where)),
                       text_member(row, "test_setup_code", where),
                       texts_member(row, "test_list", where)};
  });
}

std::string judged_code(const HumanEvalProblem& problem, const std::string& completion, bool chat) {
  return chat ? scorers::code_from_chat(completion, problem.entry_point) : completion;
}

std::string judged_code(const MbppProblem& problem, const std::string& completion, bool chat) {
  return chat ? scorers::code_from_chat(completion, problem.function) : completion;
}

std::string judging_program(const HumanEvalProblem& problem, const std::string& completion,
                            bool chat) {
  const auto assemble = chat ? scorers::human_eval_chat_program : scorers::human_eval_program;
  return assemble(problem.prompt, judged_code(problem, completion, chat), problem.test,
                  problem.entry_point);
}

std::string judging_program(const MbppProblem& problem, const std::string& completion, bool chat) {
  return scorers::mbpp_program(judged_code(problem, completion, chat), problem.test_setup_code,
                               problem.test_list);
}

}  // namespace fbt
