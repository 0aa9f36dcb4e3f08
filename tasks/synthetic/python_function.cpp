#include "tasks/synthetic/python_function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "tasks/synthetic/pipeline.h"

namespace fbt::synthetic {
namespace {

constexpr const char* kWords[] = {"lamp",  "stone", "bread", "cloud", "green", "house", "table",
                                  "water", "paper", "train", "music", "apple", "river", "plant"};

struct ChosenStep {
  const Step* step = nullptr;
  int constant = 0;

  bool has_constant() const { return step->high >= step->low; }
  std::string with_constant(const char* pattern) const {
    return has_constant() ? fmt::format(fmt::runtime(pattern), constant) : pattern;
  }
};

Value draw_argument(const Kind& kind, Draw& draw) {
  const std::string_view name = kind.name;
  if (name == "number") return draw.between(1, 20);
  if (name == "string") return std::string(draw.pick(std::span<const char* const>(kWords)));
  std::vector<int> numbers(static_cast<std::size_t>(draw.between(3, 4)));
  for (int& x : numbers) x = draw.between(1, 20);
  return numbers;
}

// What the steps make of the argument; nothing where a list runs empty or a
// number grows past two digits (the tests stay short).
std::optional<Value> run(const std::vector<ChosenStep>& steps, Value value) {
  for (const ChosenStep& chosen : steps) {
    value = chosen.step->apply(value, chosen.constant);
    const auto* list = std::get_if<std::vector<int>>(&value);
    if (list && list->empty()) return std::nullopt;
    const int* number = std::get_if<int>(&value);
    if (number && (*number > 99 || *number < -99)) return std::nullopt;
  }
  return value;
}

std::vector<ChosenStep> draw_steps(const Kind& kind, Draw& draw) {
  std::vector<ChosenStep> steps;
  const auto choose = [&](std::span<const Step> from) {
    const Step& step = draw.pick(from);
    steps.push_back({&step, step.high >= step.low ? draw.between(step.low, step.high) : 0});
  };
  choose(kind.maps);
  if (draw.chance(0.5)) choose(kind.maps);
  if (!kind.reduces.empty() && draw.chance(0.5)) choose(kind.reduces);
  return steps;
}

}  // namespace

PythonFunction draw_python_function(Side side, Draw& draw) {
  while (true) {
    const Kind& kind = draw.pick(kinds());
    const std::vector<ChosenStep> steps = draw_steps(kind, draw);

    PythonFunction function;
    std::vector<std::string> names, phrases;
    function.spec = kind.name;
    for (const ChosenStep& chosen : steps) {
      names.emplace_back(chosen.step->name);
      phrases.push_back(chosen.with_constant(chosen.step->phrase));
      function.spec += fmt::format(" {}", chosen.step->name);
      if (chosen.has_constant()) function.spec += fmt::format(" {}", chosen.constant);
    }
    if (side_of(function.spec) != side) continue;

    function.name = fmt::format("{}", fmt::join(names, "_"));
    function.text = fmt::format("Write a function to take {} and {}.", kind.object,
                                fmt::join(phrases, ", then "));
    function.code = fmt::format("def {}({}):\n", function.name, kind.variable);
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      function.code +=
          fmt::format("    {} = {}\n", kind.variable, steps[i].with_constant(steps[i].step->code));
    }
    function.code +=
        fmt::format("    return {}", steps.back().with_constant(steps.back().step->code));

    // Arguments for which every step works out; some pipelines have few.
    std::size_t tests = 0;
    for (int tries = 0; tests < function.tests.size() && tries < 200; ++tries) {
      const Value argument = draw_argument(kind, draw);
      const std::optional<Value> result = run(steps, argument);
      if (!result) continue;
      function.tests[tests++] = fmt::format("assert {}({}) == {}", function.name,
                                            python_literal(argument), python_literal(*result));
    }
    if (tests == function.tests.size()) return function;
  }
}

}  // namespace fbt::synthetic
