#include "tasks/choice_metrics.h"

#include <cmath>

#include <gtest/gtest.h>

namespace fbt::tasks {
namespace {

// Hand-made log-likelihoods for the shapes of the ten tasks.
struct Case {
  const char* what;
  std::vector<std::string> choices;
  std::vector<double> log_likelihoods;
  int right;
  double acc;
  double acc_norm;
  double acc_bytes;
};

TEST(ChoiceMetrics, OneRightChoice) {
  const Case cases[] = {
      {"two choices, the right one likelier", {"True", "False"}, {-1, -2}, 0, 1, 1, 1},
      {"two choices, the other likelier", {"no", "yes"}, {-1, -2}, 1, 0, 0, 0},
      // -3/2 = -1.5 against -4/4 = -1.
      {"length turns the order", {"ab", "abcd"}, {-3, -4}, 1, 0, 1, 1},
      // "éé": two code points, four bytes. By code points -4/2 = -2 against -5/3 = -1.67,
      // by bytes -4/4 = -1 against -5/3.
      {"bytes are not code points", {"\xC3\xA9\xC3\xA9", "abc"}, {-4, -5}, 0, 1, 0, 1},
      {"a tie goes to the first", {"aa", "bb", "cc"}, {-2, -2, -3}, 0, 1, 1, 1},
      {"a tie lost by the second", {"aa", "bb", "cc"}, {-2, -2, -3}, 1, 0, 0, 0},
      {"a tie after normalising", {"a", "bb"}, {-1, -2}, 1, 0, 0, 0},
      {"letters, as MMLU's", {"A", "B", "C", "D"}, {-9, -8, -1, -7}, 2, 1, 1, 1},
      {"minus infinity", {"a", "b"}, {-INFINITY, -5}, 1, 1, 1, 1},
      {"both minus infinity", {"a", "b"}, {-INFINITY, -INFINITY}, 0, 1, 1, 1},
  };
  for (const Case& c : cases) {
    Document document;
    document.choices = c.choices;
    document.right_choice = c.right;
    document.target = c.right;
    const auto metrics =
        choice_metrics({"acc", "acc_norm", "acc_bytes"}, document, c.log_likelihoods);
    ASSERT_EQ(metrics.size(), 3U);
    EXPECT_EQ(metrics[0].value, c.acc) << c.what;
    EXPECT_EQ(metrics[1].value, c.acc_norm) << c.what;
    EXPECT_EQ(metrics[2].value, c.acc_bytes) << c.what;
  }
}

TEST(ChoiceMetrics, MassOnTheTrueChoices) {
  struct MassCase {
    std::vector<int> truth;
    std::vector<double> likelihoods;
    double mass;
  };
  const MassCase cases[] = {
      {{1, 0}, {0.3, 0.1}, 0.75},
      {{1, 1, 0, 0}, {0.1, 0.2, 0.3, 0.4}, 0.3},
      {{1, 1}, {0.1, 0.2}, 1},
      // lm-eval takes the choices before the first false one.
      {{1, 0, 1}, {0.2, 0.2, 0.6}, 0.2},
  };
  for (const MassCase& c : cases) {
    Document document;
    document.target = c.truth;
    document.choices.resize(c.truth.size());
    // Also far below what exp() can tell from zero.
    for (const double shift : {0.0, -2000.0}) {
      std::vector<double> log_likelihoods;
      for (const double p : c.likelihoods) log_likelihoods.push_back(std::log(p) + shift);
      const auto metrics = choice_metrics({"acc"}, document, log_likelihoods);
      ASSERT_EQ(metrics.size(), 1U);
      EXPECT_EQ(metrics[0].name, "acc");
      EXPECT_NEAR(metrics[0].value, c.mass, 1e-12);
    }
  }
}

}  // namespace
}  // namespace fbt::tasks
