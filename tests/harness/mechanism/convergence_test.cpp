#include "harness/mechanism/convergence.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace fbt::mechanism {
namespace {

using Series = std::function<double(int)>;

struct Case {
  std::string name;
  int steps;
  Series loss;
  Series change;
  Verdict verdict;
};

std::vector<double> sample(const Series& series, int steps) {
  std::vector<double> values;
  for (int n = 0; n <= steps; ++n) values.push_back(series(n));
  return values;
}

const Series kShrinking = [](int n) { return n == 0 ? 0 : 8 * std::pow(0.6, n); };
const Series kSteady = [](int n) { return n == 0 ? 0.0 : 8.0; };

TEST(Convergence, TellsTheShapesApart) {
  const std::vector<Case> cases = {
      {"decays to a plateau", 40, [](int n) { return 3 - 0.2 * (1 - std::pow(0.5, n)); },
       kShrinking, Verdict::kPlateau},
      {"a worse plateau is one", 40, [](int n) { return 3 + 0.2 * (1 - std::pow(0.5, n)); },
       kShrinking, Verdict::kPlateau},
      {"swings that die away", 40, [](int n) { return 3 + 0.3 * std::pow(-0.6, n); }, kShrinking,
       Verdict::kPlateau},
      {"lasting swings", 40, [](int n) { return 3 + 0.02 * (n % 2); }, kSteady,
       Verdict::kOscillates},
      {"slow swings of period three", 60, [](int n) { return 3 + 0.02 * (n % 3); }, kSteady,
       Verdict::kOscillates},
      {"still loss, states moving ever more", 40, [](int) { return 3; },
       [](int n) { return n == 0 ? 0.0 : 1 + 0.1 * n; }, Verdict::kOscillates},
      {"rises steadily", 40, [](int n) { return 3 + 0.004 * n; }, kSteady, Verdict::kDiverges},
      {"rises slowly below the share", 40, [](int n) { return 3 + 0.0005 * n; }, kSteady,
       Verdict::kDiverges},
      {"good at one step, then noise far above", 40,
       [](int n) { return n < 2 ? 3 : 4 + 0.1 * (n % 2); }, kSteady, Verdict::kDiverges},
      {"wide swings", 40, [](int n) { return 3 + 0.9 * (n % 2); }, kSteady, Verdict::kOscillates},
      {"falling steeply", 16, [](int n) { return 2 + std::pow(0.8, n); }, kShrinking,
       Verdict::kUndecided},
      {"still falling", 40, [](int n) { return 3 - 0.01 * n; }, kShrinking, Verdict::kUndecided},
      {"infinite", 40, [](int n) { return n < 9 ? 3 : std::numeric_limits<double>::infinity(); },
       kSteady, Verdict::kDiverges},
      {"states not a number", 40, [](int) { return 3; },
       [](int n) { return n < 9 ? 1 : std::numeric_limits<double>::quiet_NaN(); },
       Verdict::kDiverges},
      {"too short", 3, [](int) { return 3; }, kShrinking, Verdict::kUndecided},
      {"just long enough", 4, [](int) { return 3; }, kShrinking, Verdict::kPlateau},
  };
  for (const Case& c : cases) {
    const Convergence result = diagnose(sample(c.loss, c.steps), sample(c.change, c.steps));
    EXPECT_EQ(result.verdict, c.verdict) << c.name << ": " << explain(result, {});
  }
}

TEST(Convergence, MeasuresWhatItSays) {
  // Loss 3, 2.9, 2.85, 2.825, …, change halves: by hand.
  const Series loss = [](int n) { return 2.8 + 0.2 * std::pow(0.5, n); };
  const Series change = [](int n) { return n == 0 ? 0 : std::pow(0.5, n); };
  const Convergence result = diagnose(sample(loss, 20), sample(change, 20));
  EXPECT_EQ(result.tail, 5);
  EXPECT_NEAR(result.contraction, 0.5, 1e-12);
  EXPECT_EQ(result.lowest_step, 20);
  EXPECT_EQ(result.reversals, 0);
  // 0.2 · 2^-n < 0.001 (plus what is left at step 20) from n = 8 on.
  EXPECT_EQ(result.settled_step, 8);
  EXPECT_NEAR(result.tail_range, 0.2 * (std::pow(0.5, 16) - std::pow(0.5, 20)), 1e-12);
}

TEST(Convergence, SettledStep) {
  const auto settled = [](std::vector<double> loss) {
    return diagnose(loss, std::vector<double>(loss.size(), 1), {.tolerance = 0.1}).settled_step;
  };
  EXPECT_EQ(settled({3, 3, 3}), 0);
  EXPECT_EQ(settled({3, 2, 2.05, 2.02}), 1);
  EXPECT_EQ(settled({3, 2, 1}), std::nullopt);
  // Close to the next one is not enough: it drifts away later.
  EXPECT_EQ(settled({2, 2.06, 2.12, 2.18}), 2);
  EXPECT_EQ(settled({2}), std::nullopt);
}

// States that stand still (all positions have reached the recurrent model's).
TEST(Convergence, ExactFixedPoint) {
  const Series change = [](int n) { return n == 0 || n > 12 ? 0 : 1.0 / n; };
  const Convergence result = diagnose(sample([](int) { return 2.5; }, 40), sample(change, 40));
  EXPECT_EQ(result.verdict, Verdict::kPlateau);
  EXPECT_EQ(result.contraction, 0);
}

// What a sequence's end brings to rest has not come to rest by itself.
TEST(Convergence, LooksAtStepsBelowTheSequencesLengthOnly) {
  const auto swinging_until_the_end = [](int n) { return 3 + (n < 50 ? 0.02 * (n % 2) : 0); };
  const std::vector<double> loss = sample(swinging_until_the_end, 200);
  const std::vector<double> change = sample([](int n) { return n > 0 && n < 50 ? 8.0 : 0.0; }, 200);
  EXPECT_EQ(diagnose(loss, change).verdict, Verdict::kPlateau);
  const Convergence result = diagnose(loss, change, {.longest_sequence = 50});
  EXPECT_EQ(result.verdict, Verdict::kOscillates);
  EXPECT_EQ(result.last_step, 49);
  EXPECT_EQ(result.tail, 12);
}

// Convergence says nothing about where to: the words and the figure do.
TEST(Convergence, ComparesThePlateauWithThePlainPass) {
  const auto to_plateau = [](double plain, double plateau) {
    return diagnose(sample([&](int n) { return n == 0 ? plain : plateau; }, 16),
                    sample(kShrinking, 16));
  };
  const Convergence worse = to_plateau(0.563, 1.595);
  EXPECT_NEAR(worse.tail_over_plain, 1.032, 1e-12);
  EXPECT_EQ(describe(worse, {}), "converges to a plateau 1.032 nats above the plain pass");
  EXPECT_EQ(describe(to_plateau(2, 1.98), {}),
            "converges to a plateau 0.020 nats below the plain pass");
  EXPECT_EQ(describe(to_plateau(2, 2.0009), {}),
            "converges to a plateau level with the plain pass");
  const Convergence swings =
      diagnose(sample([](int n) { return n == 0 ? 3 : 3.2 + 0.02 * (n % 2); }, 40),
               sample(kSteady, 40), {.rise = 0.1});
  EXPECT_EQ(describe(swings, {}), "oscillates 0.210 nats above the plain pass");
  EXPECT_EQ(describe(diagnose(std::vector<double>{3, 2}, std::vector<double>{0, 1}), {}),
            "undecided");
}

TEST(Convergence, ExplainsInOneLine) {
  EXPECT_EQ(explain(diagnose(std::vector<double>{3, 2}, std::vector<double>{0, 1}), {}),
            "undecided: fewer than 4 feedback steps");
  const Convergence flat =
      diagnose(sample([](int n) { return n == 0 ? 2.5 : 2; }, 8), sample(kShrinking, 8));
  EXPECT_EQ(explain(flat, {}),
            "converges to a plateau 0.500 nats below the plain pass: from step 5 to 8 the "
            "loss varies by 0 (tolerance 0.001), "
            "its lowest 2.0000 is +0.00 % from the lowest of all (2.0000 at step 1; 2 % would be "
            "divergence), it turns around at 0 % of the steps, drifts by +0, and the states' "
            "movement changes by a factor of 0.600 a step");
}

}  // namespace
}  // namespace fbt::mechanism
