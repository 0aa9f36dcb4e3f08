#include "results/compare/efficiency.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/compare/comparison.h"
#include "results/statistics/resample.h"
#include "results/table/table.h"

namespace fbt::results {
namespace {

constexpr int kResamples = 2000;
constexpr std::uint64_t kSeed = 20'260'808;

// Pool adjacent violators: the closest non-decreasing scores.
std::vector<double> isotonic(std::span<const CurvePoint> curve) {
  struct Block {
    double sum;
    std::size_t count;
    double value() const { return sum / static_cast<double>(count); }
  };
  std::vector<Block> blocks;
  for (const CurvePoint& point : curve) {
    blocks.push_back({point.score, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].value() >= blocks.back().value()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> scores;
  for (const Block& block : blocks) scores.insert(scores.end(), block.count, block.value());
  return scores;
}

// The values of `data` on `documents`, all of which it has done.
std::vector<double> values_on(const RunData& data, std::span<const double> scores,
                              std::span<const std::int64_t> documents) {
  std::vector<double> values;
  for (const std::int64_t id : documents) {
    const auto found = std::lower_bound(data.doc_ids.begin(), data.doc_ids.end(), id);
    values.push_back(scores[static_cast<std::size_t>(found - data.doc_ids.begin())]);
  }
  return values;
}

std::vector<std::int64_t> shared_documents(const RunData& run,
                                           std::span<const RunData* const> others) {
  std::vector<std::int64_t> shared = run.doc_ids;
  for (const RunData* other : others) {
    std::vector<std::int64_t> both;
    std::set_intersection(shared.begin(), shared.end(), other->doc_ids.begin(),
                          other->doc_ids.end(), std::back_inserter(both));
    shared = std::move(both);
  }
  return shared;
}

// The standard family's runs that make the curve for `run`, by rising tokens.
std::vector<const RunData*> curve_for(const RunData& run, std::span<const RunData> runs) {
  std::vector<const RunData*> curve;
  for (const RunData& other : runs) {
    const Checkpoint& checkpoint = other.run.checkpoint;
    if (checkpoint.family == "standard" && checkpoint.train_tokens.value_or(0) > 0 &&
        checkpoint.stage == run.run.checkpoint.stage && other.run.plan.task == run.run.plan.task &&
        other.run.plan.mode == "standard") {
      curve.push_back(&other);
    }
  }
  std::sort(curve.begin(), curve.end(), [](const RunData* a, const RunData* b) {
    return *a->run.checkpoint.train_tokens < *b->run.checkpoint.train_tokens;
  });
  return curve;
}

// Per-document values of the curve's runs and, last, of the run in question:
// documents x runs, so that a resample reads each document's row once.
class Sheet {
 public:
  Sheet(std::vector<double> tokens, const std::vector<std::vector<double>>& runs)
      : tokens_(std::move(tokens)), runs_(runs.size()), documents_(runs.front().size()) {
    for (std::size_t d = 0; d < documents_; ++d) {
      for (const auto& run : runs) values_.push_back(run[d]);
    }
  }

  // Where the curve reaches the run's score over the documents that `document(i)` names.
  template <typename Document>
  CurveTokens tokens_over(const Document& document) const {
    std::vector<double> sums(runs_);
    for (std::size_t i = 0; i < documents_; ++i) {
      const double* row = values_.data() + document(i) * runs_;
      for (std::size_t run = 0; run < runs_; ++run) sums[run] += row[run];
    }
    const auto n = static_cast<double>(documents_);
    std::vector<CurvePoint> curve;
    for (std::size_t run = 0; run + 1 < runs_; ++run)
      curve.push_back({tokens_[run], sums[run] / n});
    return tokens_at_score(curve, sums.back() / n);
  }

  std::size_t documents() const { return documents_; }
  double first_tokens() const { return tokens_.front(); }
  double last_tokens() const { return tokens_.back(); }

 private:
  std::vector<double> tokens_;  // of the curve's runs
  std::size_t runs_;
  std::size_t documents_;
  std::vector<double> values_;
};

void add_interval(const Sheet& sheet, double level, DataEfficiency& result) {
  std::vector<CurveTokens> found;
  ResampledIndices draw(kSeed, sheet.documents());
  for (int resample = 0; resample < kResamples; ++resample) {
    found.push_back(sheet.tokens_over([&](std::size_t) { return draw.next(); }));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.tokens < b.tokens; });
  const auto at = [&](double p) {
    return found[static_cast<std::size_t>(std::lround(p * (kResamples - 1)))];
  };
  const CurveTokens low = at((1 - level) / 2);
  const CurveTokens high = at((1 + level) / 2);
  result.interval = {low.tokens / result.train_tokens, high.tokens / result.train_tokens};
  result.interval_open_low = low.below || low.tokens <= sheet.first_tokens();
  result.interval_open_high = !high.below && high.tokens >= sheet.last_tokens();
}

}  // namespace

CurveTokens tokens_at_score(std::span<const CurvePoint> curve, double score) {
  const std::vector<double> scores = isotonic(curve);
  if (score > scores.back()) return {curve.back().tokens, false, true};
  if (score <= scores.front()) {
    // Any budget up to the last one that scores no better than the first would do.
    const auto above = std::upper_bound(scores.begin(), scores.end(), scores.front());
    const auto last = static_cast<std::size_t>(above - scores.begin()) - 1;
    return {curve[last].tokens, true, false};
  }
  // Leftmost and rightmost places of this score in log tokens.
  const auto crossing = [&](std::size_t right) {
    const double left_log = std::log(curve[right - 1].tokens);
    const double rise = scores[right] - scores[right - 1];
    const double share = rise > 0 ? (score - scores[right - 1]) / rise : 0;
    return left_log + share * (std::log(curve[right].tokens) - left_log);
  };
  const auto first = static_cast<std::size_t>(
      std::lower_bound(scores.begin(), scores.end(), score) - scores.begin());
  const auto after = static_cast<std::size_t>(
      std::upper_bound(scores.begin(), scores.end(), score) - scores.begin());
  const double low = crossing(first);
  const double high = after == scores.size() ? std::log(curve.back().tokens) : crossing(after);
  return {std::exp((low + high) / 2), false, false};
}

std::vector<DataEfficiency> data_efficiencies(std::span<const RunData> runs,
                                              const TemperatureChoice& temperature,
                                              const std::string& metric, double level) {
  std::vector<DataEfficiency> results;
  for (const RunData& run : runs) {
    const Checkpoint& checkpoint = run.run.checkpoint;
    if (checkpoint.family == "standard" || checkpoint.train_tokens.value_or(0) <= 0) continue;
    const std::vector<const RunData*> curve = curve_for(run, runs);
    const std::vector<std::int64_t> documents = shared_documents(run, curve);
    if (curve.size() < 2 || documents.empty()) continue;

    std::vector<double> tokens;
    std::vector<std::vector<double>> values;
    for (const RunData* point : curve) {
      tokens.push_back(*point->run.checkpoint.train_tokens);
      values.push_back(
          values_on(*point, choose_scores(*point, temperature, metric).per_document, documents));
    }
    values.push_back(
        values_on(run, choose_scores(run, temperature, metric).per_document, documents));
    const Sheet sheet(std::move(tokens), values);

    DataEfficiency result;
    result.checkpoint = checkpoint.name;
    result.task = run.run.plan.task;
    result.mode = mode_label(run.run.plan);
    result.train_tokens = *checkpoint.train_tokens;
    result.score = mean(values.back());
    result.curve_points = static_cast<int>(curve.size());
    const CurveTokens found = sheet.tokens_over([](std::size_t i) { return i; });
    result.equivalent_tokens = found.tokens;
    result.below_curve = found.below;
    result.beyond_curve = found.beyond;
    result.ratio = found.tokens / result.train_tokens;
    add_interval(sheet, level, result);
    results.push_back(std::move(result));
  }
  std::stable_sort(results.begin(), results.end(), [](const auto& a, const auto& b) {
    if (a.task != b.task) return a.task < b.task;
    if (a.train_tokens != b.train_tokens) return a.train_tokens < b.train_tokens;
    return mode_before(a.mode, b.mode);
  });
  return results;
}

std::string efficiency_text(const DataEfficiency& efficiency) {
  const char* bound = efficiency.below_curve ? "≤ " : efficiency.beyond_curve ? "≥ " : "";
  return fmt::format("{} {} ≈ standard at {}{} tokens, {}{:.2f}× [{}{:.2f}, {}{:.2f}]",
                     efficiency.checkpoint, efficiency.mode, bound,
                     token_count(efficiency.equivalent_tokens), bound, efficiency.ratio,
                     efficiency.interval_open_low ? "≤ " : "", efficiency.interval.low,
                     efficiency.interval_open_high ? "≥ " : "", efficiency.interval.high);
}

}  // namespace fbt::results
