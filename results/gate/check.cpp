#include "results/gate/check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/statistics/normal.h"
#include "results/table/table.h"

namespace fbt::results {
namespace {

std::string limit_text(const GateCheck& check) {
  return check.kind == GateCheck::Kind::kScore
             ? fmt::format("{} points", percent(check.limit, 1))
             : fmt::format("{} % growth", percent(check.limit, 0));
}

// How far the bound lies on the bad side of the change: z · standard error
// where the interval is normal, and never zero where no document differs.
double distance_to_bound(const GateCheck& check) {
  return std::max(std::abs(check.change - *check.bound), 1e-9);
}

// Documents with which an equal candidate passes with this power.
double documents_needed(const GateCheck& check, double standard_error, double z) {
  const double factor = z * standard_error / check.limit;
  return std::ceil(static_cast<double>(check.documents) * factor * factor);
}

}  // namespace

const char* gate_status_name(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "pass";
    case GateStatus::kFail:
      return "fail";
    case GateStatus::kUndecided:
      return "undecided";
    case GateStatus::kInvalid:
      return "invalid";
  }
  return "invalid";
}

GateCheck floor_check(double floor, double score, std::size_t documents) {
  GateCheck check;
  check.kind = GateCheck::Kind::kFloor;
  check.candidate = score;
  check.limit = floor;
  check.documents = documents;
  if (score < floor) {
    check.status = GateStatus::kFail;
    check.reason = fmt::format("scores {}, below the floor of {}", percent(score), percent(floor));
  }
  return check;
}

GateCheck score_check(double margin, std::span<const double> baseline,
                      std::span<const double> candidate, std::span<const std::string> subjects,
                      double level) {
  // The ends of a two-sided interval of 1 - 2·level are one-sided bounds at `level`.
  const PairedComparison paired = compare_paired(baseline, candidate, subjects, 1 - 2 * level);
  GateCheck check;
  check.kind = GateCheck::Kind::kScore;
  check.baseline = mean(baseline);
  check.candidate = mean(candidate);
  check.change = paired.difference;
  check.limit = margin;
  check.documents = paired.documents;
  check.bound = paired.interval.low;
  check.p_worse = paired.p_worse;
  return check;
}

GateCheck trace_check(double max_growth, std::span<const double> baseline,
                      std::span<const double> candidate, double level) {
  const PairedRatio paired = compare_ratio(baseline, candidate, 1 - 2 * level);
  GateCheck check;
  check.kind = GateCheck::Kind::kTrace;
  check.baseline = mean(baseline);
  check.candidate = mean(candidate);
  check.change = paired.change;
  check.limit = max_growth;
  check.documents = paired.documents;
  check.bound = paired.interval.high;
  check.p_worse = paired.p_grown;
  return check;
}

void decide(GateCheck& check, double p_holm, std::size_t tests, double level, double power) {
  const double z_level = normal_quantile(1 - level);
  const double standard_error = distance_to_bound(check) / z_level;
  const double z_family = normal_quantile(1 - level / static_cast<double>(tests));
  check.detectable = (z_family + normal_quantile(power)) * standard_error;
  check.power = normal_cdf(check.limit / standard_error - z_level);

  const bool within = check.kind == GateCheck::Kind::kScore ? *check.bound > -check.limit
                                                            : *check.bound < check.limit;
  if (within) return;
  const char* quantity = check.kind == GateCheck::Kind::kScore ? "score" : "trace length";
  const std::string change = check.kind == GateCheck::Kind::kScore
                                 ? fmt::format("{} points", signed_percent(check.change, 1))
                                 : fmt::format("{} %", signed_percent(check.change, 1));
  if (p_holm < level) {
    check.status = GateStatus::kFail;
    check.reason = fmt::format("{} {} against the baseline (p = {:.2g} after Holm), limit {}",
                               quantity, change, p_holm, limit_text(check));
    return;
  }
  check.status = GateStatus::kUndecided;
  const double needed =
      check.limit > 0 ? documents_needed(check, standard_error, z_level + normal_quantile(power))
                      : 0;
  if (check.power >= power || needed <= static_cast<double>(check.documents)) {
    check.reason = fmt::format("{} {}: neither shown within {} nor shown worse", quantity, change,
                               limit_text(check));
  } else {
    check.reason = fmt::format(
        "{} documents are too few to show the {} within {} (an equal candidate passes with "
        "probability {:.2f}; about {:.0f} documents would do)",
        check.documents, quantity, limit_text(check), check.power, needed);
  }
}

}  // namespace fbt::results
