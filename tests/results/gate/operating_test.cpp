// What the gate promises in the long run: its false-alarm rate, its power and
// the smallest loss it finds, by simulation.

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "results/gate/check.h"

namespace fbt::results {
namespace {

struct Pair {
  std::vector<double> baseline;
  std::vector<double> candidate;
};

// Right-or-wrong values of n documents on a share `discordant` of which the two
// differ; the candidate is worse by `loss`.
Pair right_or_wrong(std::uint64_t seed, int n, double discordant, double loss) {
  const KeyedRandom random(seed);
  Pair pair;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform(static_cast<std::uint64_t>(i), 0);
    const double lost = (discordant + loss) / 2;
    const double gained = (discordant - loss) / 2;
    const double both = random.uniform(static_cast<std::uint64_t>(i), 1) < 0.6 ? 1 : 0;
    pair.baseline.push_back(u < lost ? 1 : u < lost + gained ? 0 : both);
    pair.candidate.push_back(u < lost ? 0 : u < lost + gained ? 1 : both);
  }
  return pair;
}

// Trace lengths, log-normal about a length that the pair shares; the
// candidate's are longer by `growth`.
Pair lengths(std::uint64_t seed, int n, double growth) {
  const KeyedRandom random(seed);
  const auto spread = [&](int i, std::uint64_t lane) {
    // The sum of twelve uniform numbers is close to normal.
    double sum = -6;
    for (std::uint64_t k = 0; k < 12; ++k) {
      sum += random.uniform(static_cast<std::uint64_t>(i), lane * 12 + k);
    }
    return sum;
  };
  Pair pair;
  for (int i = 0; i < n; ++i) {
    const double shared = 100 * std::exp(0.5 * spread(i, 0));
    pair.baseline.push_back(shared * std::exp(0.3 * spread(i, 1)));
    pair.candidate.push_back(shared * std::exp(0.3 * spread(i, 2)) * (1 + growth));
  }
  return pair;
}

struct Rates {
  double pass = 0;
  double fail = 0;
  double power = 0;       // mean of what the gate says
  double detectable = 0;  // likewise
};

constexpr double kLevel = 0.05;
constexpr double kPower = 0.8;

// A gate of `tests` score checks, all on pairs like `make(seed)`; the gate fails
// where one does and passes where all do.
template <typename Make>
Rates score_rates(int trials, std::size_t tests, double margin, const Make& make) {
  Rates rates;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<GateCheck> checks;
    std::vector<double> p_values;
    for (std::size_t i = 0; i < tests; ++i) {
      const Pair pair = make(static_cast<std::uint64_t>(trial) * 100 + i + 1);
      checks.push_back(score_check(margin, pair.baseline, pair.candidate, {}, kLevel));
      p_values.push_back(checks.back().p_worse);
    }
    const std::vector<double> adjusted = holm(p_values);
    bool pass = true;
    bool fail = false;
    for (std::size_t i = 0; i < tests; ++i) {
      decide(checks[i], adjusted[i], tests, kLevel, kPower);
      pass &= checks[i].status == GateStatus::kPass;
      fail |= checks[i].status == GateStatus::kFail;
    }
    rates.pass += pass / static_cast<double>(trials);
    rates.fail += fail / static_cast<double>(trials);
    rates.power += checks[0].power / trials;
    rates.detectable += checks[0].detectable / trials;
  }
  return rates;
}

// Three standard errors of a share over `trials`.
double slack(double p, int trials) {
  return 3 * std::sqrt(p * (1 - p) / trials);
}

// 2,000 equal pairs, with a margin of nothing so that only the test keeps the
// gate from failing them.
TEST(GateOperating, FalseAlarmsStayWithinTheLevel) {
  constexpr int kTrials = 2000;
  for (const std::size_t tests : {std::size_t{1}, std::size_t{6}}) {
    const Rates rates = score_rates(
        kTrials, tests, 0, [](std::uint64_t seed) { return right_or_wrong(seed, 500, 0.2, 0); });
    EXPECT_LE(rates.fail, kLevel + slack(kLevel, kTrials)) << tests;
    EXPECT_GT(rates.fail, 0.005) << tests;  // the test is at work
  }
}

// A candidate that is worse by just the margin passes with probability of the level.
TEST(GateOperating, LossOfTheMarginRarelyPasses) {
  constexpr int kTrials = 2000;
  const Rates rates = score_rates(
      kTrials, 1, 0.04, [](std::uint64_t seed) { return right_or_wrong(seed, 800, 0.2, 0.04); });
  EXPECT_LE(rates.pass, kLevel + slack(kLevel, kTrials));
  EXPECT_GT(rates.pass, kLevel / 2);
}

TEST(GateOperating, PowerIsTheShareOfEqualCandidatesThatPass) {
  constexpr int kTrials = 1000;
  for (const double margin : {0.03, 0.05}) {
    const Rates rates = score_rates(
        kTrials, 1, margin, [](std::uint64_t seed) { return right_or_wrong(seed, 800, 0.2, 0); });
    EXPECT_NEAR(rates.pass, rates.power, 0.03 + slack(rates.power, kTrials)) << margin;
  }
}

TEST(GateOperating, DetectableLossIsFoundWithThePolicysPower) {
  constexpr int kTrials = 1000;
  const double detectable = score_rates(50, 1, 0.001, [](std::uint64_t seed) {
                              return right_or_wrong(seed, 800, 0.2, 0);
                            }).detectable;
  EXPECT_NEAR(detectable, (1.645 + 0.842) * std::sqrt(0.2 / 800), 0.003);
  const Rates rates = score_rates(kTrials, 1, 0.001, [&](std::uint64_t seed) {
    return right_or_wrong(seed + 7'000'000, 800, 0.2, detectable);
  });
  EXPECT_NEAR(rates.fail, kPower, 0.04 + slack(kPower, kTrials));
}

TEST(GateOperating, TraceLengthsKeepTheLevelToo) {
  constexpr int kTrials = 150;
  double alarms = 0;
  double passes = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto seed = static_cast<std::uint64_t>(trial) + 1;
    const Pair equal = lengths(seed, 100, 0);
    GateCheck check = trace_check(0, equal.baseline, equal.candidate, kLevel);
    decide(check, check.p_worse, 1, kLevel, kPower);
    alarms += check.status == GateStatus::kFail;
    const Pair longer = lengths(seed, 100, 0.2);
    check = trace_check(0.2, longer.baseline, longer.candidate, kLevel);
    decide(check, check.p_worse, 1, kLevel, kPower);
    passes += check.status == GateStatus::kPass;
  }
  EXPECT_LE(alarms / kTrials, kLevel + slack(kLevel, kTrials));
  EXPECT_LE(passes / kTrials, kLevel + slack(kLevel, kTrials));
}

// No document differs: the bound is Tango's, and finite.
TEST(GateOperating, NoDifferingDocumentIsNoCertainty) {
  const std::vector<double> values(200, 1.0);
  GateCheck check = score_check(0.05, values, values, {}, kLevel);
  decide(check, 1, 1, kLevel, kPower);
  // z²/(n + z²) with z = 1.645.
  EXPECT_NEAR(*check.bound, -2.706 / 202.706, 1e-4);
  EXPECT_EQ(check.status, GateStatus::kPass);
  EXPECT_GT(check.detectable, 0.01);
}

}  // namespace
}  // namespace fbt::results
