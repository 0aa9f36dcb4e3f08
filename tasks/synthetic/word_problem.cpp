#include "tasks/synthetic/word_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/json_lines.h"

namespace fbt::synthetic {
namespace {

constexpr int kLargest = 99;
constexpr int kTries = 1'000'000;

using Values = std::map<std::string, int>;

// "left op right"; an operand is a number's name or digits.
struct Arithmetic {
  std::string left;
  char op = '+';
  std::string right;
};

Arithmetic parse_arithmetic(const std::string& text) {
  const std::size_t first = text.find(' ');
  const std::size_t last = text.rfind(' ');
  if (first == std::string::npos || last != first + 2 ||
      std::string_view("+-*/").find(text[first + 1]) == std::string_view::npos) {
    throw InputError(fmt::format("'{}' is no arithmetic; write 'a + b' with + - * or /", text));
  }
  return {text.substr(0, first), text[first + 1], text.substr(last + 1)};
}

int operand(const std::string& name, const Values& values) {
  if (std::isdigit(static_cast<unsigned char>(name[0]))) return std::stoi(name);
  const auto found = values.find(name);
  if (found == values.end()) throw InputError(fmt::format("unknown number '{}'", name));
  return found->second;
}

// Nothing where the result is not a whole number in 1 … kLargest.
std::optional<int> evaluate(const Arithmetic& work, const Values& values) {
  const int left = operand(work.left, values);
  const int right = operand(work.right, values);
  int result = 0;
  switch (work.op) {
    case '+':
      result = left + right;
      break;
    case '-':
      result = left - right;
      break;
    case '*':
      result = left * right;
      break;
    default:
      if (left % right != 0) return std::nullopt;
      result = left / right;
  }
  if (result < 1 || result > kLargest) return std::nullopt;
  return result;
}

// "7 + 5 = <<7+5=12>>12"
std::string worked(const Arithmetic& work, const Values& values, int result) {
  const int left = operand(work.left, values);
  const int right = operand(work.right, values);
  return fmt::format("{0} {1} {2} = <<{0}{1}{2}={3}>>{3}", left, work.op, right, result);
}

// Puts `fills` into the {placeholders} of `text`.
std::string fill(const std::string& text, const std::map<std::string, std::string>& fills) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('{', at);
    out += text.substr(at, open - at);
    if (open == std::string::npos) return out;
    const std::size_t close = text.find('}', open);
    const std::string name = text.substr(open + 1, close - open - 1);
    const auto found = fills.find(name);
    if (found == fills.end()) throw InputError(fmt::format("unknown placeholder '{{{}}}'", name));
    out += found->second;
    at = close + 1;
  }
}

}  // namespace

struct WordProblems::Template {
  struct Range {
    std::string name;
    int low = 0;
    int high = 0;
  };
  struct Step {
    std::string result;
    Arithmetic work;
    std::string text;
  };
  std::string name;
  std::vector<Range> numbers;
  std::vector<std::pair<std::string, Arithmetic>> given;  // shown, not worked out
  std::string question;
  std::vector<Step> steps;
};

WordProblems::WordProblems() : WordProblems(word_problem_templates(), "word_problems.json") {}
WordProblems::~WordProblems() = default;
WordProblems::WordProblems(WordProblems&&) noexcept = default;
WordProblems& WordProblems::operator=(WordProblems&&) noexcept = default;

WordProblems::WordProblems(std::string_view json, std::string_view source) {
  const nlohmann::json root = parse_json(json, source);
  std::string where = "top level";
  try {
    people_ = root.at("people").get<std::vector<std::string>>();
    for (const auto& [kind, list] : root.at("words").items()) {
      words_.emplace_back(kind, list.get<std::vector<std::string>>());
    }
    for (const nlohmann::json& row : root.at("templates")) {
      Template made;
      made.name = where = row.at("name").get<std::string>();
      for (const auto& [name, range] : row.at("numbers").items()) {
        made.numbers.push_back({name, range.at(0).get<int>(), range.at(1).get<int>()});
      }
      if (row.contains("given")) {
        for (const auto& [name, work] : row["given"].items()) {
          made.given.emplace_back(name, parse_arithmetic(work.get<std::string>()));
        }
      }
      made.question = row.at("question").get<std::string>();
      for (const nlohmann::json& step : row.at("steps")) {
        made.steps.push_back({step.at(0).get<std::string>(),
                              parse_arithmetic(step.at(1).get<std::string>()),
                              step.at(2).get<std::string>()});
      }
      templates_.push_back(std::move(made));
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: {}: {}", source, where, error.what()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}: {}", source, where, error.what()));
  }
}

std::size_t WordProblems::template_count() const {
  return templates_.size();
}

WordProblem WordProblems::draw(std::size_t template_index, Side side, Draw& draw) const {
  const Template& made = templates_.at(template_index);
  const std::span<const std::string> people(people_);

  // Numbers of the right side for which every step works out.
  Values values;
  WordProblem problem;
  const auto draw_numbers = [&] {
    values.clear();
    problem.numbers = made.name;
    for (const Template::Range& range : made.numbers) {
      values[range.name] = draw.between(range.low, range.high);
      problem.numbers += fmt::format(" {}={}", range.name, values[range.name]);
    }
    if (side_of(problem.numbers) != side) return false;
    const auto add = [&](const std::string& name, const Arithmetic& work) {
      const std::optional<int> result = evaluate(work, values);
      if (result) values[name] = *result;
      return result.has_value();
    };
    for (const auto& [name, work] : made.given) {
      if (!add(name, work)) return false;
    }
    return std::all_of(made.steps.begin(), made.steps.end(),
                       [&](const Template::Step& step) { return add(step.result, step.work); });
  };

  // Three different people. One in eight plays the main part in held-out
  // problems only: who, is another choice in every template.
  std::string name, other, third;
  const auto draw_people = [&] {
    const int main = draw.between(0, static_cast<int>(people_.size()) - 1);
    const bool held_out = (stable_hash(made.name) + static_cast<std::uint64_t>(main)) % 8 == 0;
    name = people_[static_cast<std::size_t>(main)];
    other = draw.pick(people);
    third = draw.pick(people);
    return name != other && name != third && other != third && held_out == (side == Side::kHeldOut);
  };

  const auto until = [&](const auto& attempt) {
    for (int i = 0; i < kTries; ++i) {
      if (attempt()) return;
    }
    throw InputError(fmt::format("template '{}' has no {} problem; widen its ranges", made.name,
                                 side_name(side)));
  };
  until(draw_numbers);
  until(draw_people);

  std::map<std::string, std::string> fills{{"name", name}, {"other", other}, {"third", third}};
  for (const auto& [kind, list] : words_) {
    const int first = draw.between(0, static_cast<int>(list.size()) - 1);
    const int second = draw.between(1, static_cast<int>(list.size()) - 1);
    fills[kind] = list[first];
    fills[kind + "2"] = list[(first + second) % list.size()];  // another one
  }
  for (const auto& [number, value] : values) fills[number] = std::to_string(value);
  for (const Template::Step& step : made.steps) {
    fills[step.result + "!"] = worked(step.work, values, values[step.result]);
  }

  problem.question = fill(made.question, fills);
  for (const Template::Step& step : made.steps) problem.answer += fill(step.text, fills) + "\n";
  problem.result = values[made.steps.back().result];
  problem.answer += fmt::format("#### {}", problem.result);
  return problem;
}

}  // namespace fbt::synthetic
