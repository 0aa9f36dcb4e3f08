// What must hold of every answer, tried on all answers of MATH-500.

#include <gtest/gtest.h>
#include <re2/re2.h>

#include "base/json_lines.h"
#include "scorers/math/equivalence.h"
#include "scorers/math/grade.h"
#include "tests/support/paths.h"

namespace fbt::scorers::math {
namespace {

constexpr const char* kData = "data/math500/test.jsonl";

using Change = std::string (*)(const std::string&);

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// One value: no list, set, equation, text, unit or matrix.
bool is_expression(const std::string& answer) {
  static const RE2 other(
      R"([,=<>%:]|\\text|\\mbox|\\cup|\\begin|\\in\b|\\le|\\ge|\\pm|\\infty|\\\$|_\d|_\{|\^\\circ|\^\{\\circ\}|[A-Z])");
  return !RE2::PartialMatch(answer, other);
}

bool is_number(const std::string& answer) {
  static const RE2 number(R"(-?\d+(\.\d+)?|\\frac\{\d+\}\{\d+\})");
  return RE2::FullMatch(answer, number);
}

template <typename Use>
void for_each_answer(const Use& use) {
  for_each_json_line(testing::shared_dir() / kData, [&](nlohmann::json&& row, std::size_t line) {
    SCOPED_TRACE(std::string(kData) + ':' + std::to_string(line));
    use(row["answer"].get<std::string>());
  });
}

void expect_equal(const std::string& answer, const std::string& variant, const char* change) {
  const Verdict there = equivalent(answer, variant);
  const Verdict back = equivalent(variant, answer);
  EXPECT_TRUE(there.equal) << change << ": " << there.rule;
  EXPECT_TRUE(back.equal) << change << " (the other way): " << back.rule;
}

void expect_different(const std::string& answer, const std::string& variant, const char* change) {
  const Verdict there = equivalent(answer, variant);
  const Verdict back = equivalent(variant, answer);
  EXPECT_FALSE(there.equal) << change << ": " << there.rule;
  EXPECT_FALSE(back.equal) << change << " (the other way): " << back.rule;
}

TEST(Math500Properties, AnAnswerEqualsItselfInAnotherDress) {
  FBT_REQUIRE_SHARED(kData);
  const std::pair<const char*, Change> changes[] = {
      {"itself", [](const std::string& a) { return a; }},
      {"dollars", [](const std::string& a) { return "$" + a + "$"; }},
      {"spaces", [](const std::string& a) { return "  " + a + " "; }},
      {"thin spaces", [](const std::string& a) { return "\\, " + a + "\\,"; }},
      {"braces", [](const std::string& a) { return "{" + a + "}"; }},
      {"\\displaystyle", [](const std::string& a) { return "\\displaystyle " + a; }},
      {"\\dfrac", [](const std::string& a) { return replaced(a, "\\frac", "\\dfrac"); }},
      {"\\tfrac", [](const std::string& a) { return replaced(a, "\\frac", "\\tfrac"); }},
      {"no \\left",
       [](const std::string& a) { return replaced(replaced(a, "\\left", ""), "\\right", ""); }},
      {"spaced operators",
       [](const std::string& a) { return replaced(replaced(a, "+", " + "), "-", " - "); }},
  };
  for_each_answer([&](const std::string& answer) {
    for (const auto& [name, change] : changes) expect_equal(answer, change(answer), name);
    const bool bare =
        answer.find("\\left") == std::string::npos && answer.find("\\text") == std::string::npos;
    if (bare) {
      expect_equal(answer, replaced(replaced(answer, "(", "\\left("), ")", "\\right)"), "\\left");
    }
  });
}

TEST(Math500Properties, AnAnswerIsFoundInItsBox) {
  FBT_REQUIRE_SHARED(kData);
  for_each_answer([](const std::string& answer) {
    EXPECT_TRUE(grade(answer, "Hence it is $\\boxed{" + answer + "}$, as claimed.").correct);
    EXPECT_TRUE(grade(answer, "So \\[\\fbox{" + answer + "}.\\]\n").correct);
    EXPECT_TRUE(grade("We see \\boxed{" + answer + "}", "\\boxed{" + answer + "}").correct);
  });
}

TEST(Math500Properties, NumbersMayCarryUnitsAndCurrency) {
  FBT_REQUIRE_SHARED(kData);
  for_each_answer([](const std::string& answer) {
    if (!is_number(answer)) return;
    expect_equal(answer, answer + " \\text{ units}", "units");
    expect_equal(answer, answer + "\\text{ cm}^2", "square units");
    expect_equal(answer, "\\$" + answer, "currency");
    expect_equal(answer, "x = " + answer, "an unknown's name");
  });
}

TEST(Math500Properties, AnExpressionEqualsItselfRewritten) {
  FBT_REQUIRE_SHARED(kData);
  int expressions = 0;
  for_each_answer([&](const std::string& answer) {
    if (!is_expression(answer)) return;
    ++expressions;
    expect_equal(answer, "(" + answer + ")", "parentheses");
    expect_equal(answer, "(" + answer + " + 1) - 1", "plus and minus one");
    expect_equal(answer, "\\frac{2(" + answer + ")}{2}", "doubled and halved");
    expect_equal(answer, "-(-(" + answer + "))", "negated twice");
    expect_equal(answer, "\\frac{1}{3}(" + answer + ") + \\frac{2}{3}(" + answer + ")", "split");
    const std::string a = "(" + answer + ")";
    expect_equal(a + "^2", a + a, "squared");
    expect_equal("(" + a + " + 1)^2", a + "^2 + 2" + a + " + 1", "a square, expanded");
    expect_equal("(" + a + " + 2)(" + a + " - 2)", a + "^2 - 4", "a product, expanded");
    expect_equal(a + "z^3 - " + a + "z", "z" + a + "(z + 1)(z - 1)", "factored");
  });
  EXPECT_GT(expressions, 250);
}

TEST(Math500Properties, AnExpressionDiffersFromItsNeighbours) {
  FBT_REQUIRE_SHARED(kData);
  for_each_answer([](const std::string& answer) {
    if (!is_expression(answer)) return;
    expect_different(answer, "(" + answer + ") + 1", "plus one");
    expect_different(answer, "(" + answer + ") + 10^{-9}", "plus a billionth");
    if (answer != "0") expect_different(answer, "-(" + answer + ")", "negated");
    static const RE2 fraction(R"(\\d?frac\{([^{}]+)\}\{([^{}]+)\})");
    std::string above, below;
    if (RE2::FullMatch(answer, fraction, &above, &below) && above != below) {
      expect_different(answer, "\\frac{" + below + "}{" + above + "}", "turned over");
    }
  });
}

// Of every kind of answer: tuples, lists, intervals, matrices, equations, times, …
TEST(Math500Properties, AnAnswerDiffersFromItselfWithAnotherNumber) {
  FBT_REQUIRE_SHARED(kData);
  int changed = 0;
  for_each_answer([&](const std::string& answer) {
    static const RE2 digits(R"((\d+))");
    re2::StringPiece number;
    if (!RE2::PartialMatch(answer, digits, &number) || number.size() > 15) return;
    const auto at = static_cast<std::size_t>(number.data() - answer.data());
    std::string other = answer;
    other.replace(at, number.size(), std::to_string(std::stoll(std::string(number)) + 1));
    expect_different(answer, other, "its first number plus one");
    ++changed;
  });
  EXPECT_GT(changed, 400);
}

}  // namespace
}  // namespace fbt::scorers::math
