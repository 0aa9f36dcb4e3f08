#include "harness/decode/device/device_chooser.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <ATen/ATen.h>

#include "harness/decode/device/transfer.h"
#include "harness/decode/wanted_rows.h"

namespace fbt {
namespace {

// Rows of logits that stand in memory at once.
constexpr std::int64_t kHeadRows = 64;

// One row of logits, summed up: all [R].
struct Summary {
  at::Tensor maximum;  // wide
  at::Tensor argmax;   // int64
  at::Tensor log_sum;  // float64: log of the sum of exponentials
};

Summary summarise(const at::Tensor& logits) {
  Summary summary;
  // Of equal logits the first one, as everywhere in the engine.
  std::tie(summary.maximum, summary.argmax) = logits.max(1);
  const at::Tensor sum = (logits - summary.maximum.unsqueeze(1)).exp().sum(1, false, at::kDouble);
  summary.log_sum = sum.log() + summary.maximum.to(at::kDouble);
  return summary;
}

// The tokens at which the running sums of probabilities pass `uniform`; [R].
at::Tensor sample(const at::Tensor& logits, const at::Tensor& maximum,
                  const at::Tensor& temperature, const at::Tensor& uniform) {
  const at::Tensor inverse = temperature.reciprocal().to(logits.scalar_type()).unsqueeze(1);
  const at::Tensor sums =  // [R,V]
      ((logits - maximum.unsqueeze(1)) * inverse).exp().cumsum(1, at::kDouble);
  const at::Tensor whole = sums.narrow(1, sums.size(1) - 1, 1).contiguous();
  const at::Tensor passed =
      at::searchsorted(sums, uniform.unsqueeze(1) * whole, /*out_int32=*/false, /*right=*/true);
  // Where rounding makes the product the whole: the last token with a probability.
  const at::Tensor last = at::searchsorted(sums, whole);
  return at::minimum(passed, last).squeeze(1);
}

// What the host wants to know of tokens, each with its logit and its row's
// summary: [3,N] float64, which holds token ids exactly.
at::Tensor judge(const at::Tensor& tokens, const at::Tensor& logits, const at::Tensor& log_sum,
                 const at::Tensor& argmax) {
  return at::stack({tokens.to(at::kDouble), logits.to(at::kDouble) - log_sum,
                    (tokens == argmax).to(at::kDouble)});
}

std::vector<ChosenToken> read(const at::Tensor& judged) {
  std::vector<ChosenToken> result(static_cast<std::size_t>(judged.size(1)));
  const auto values = judged.accessor<double, 2>();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto column = static_cast<std::int64_t>(i);
    result[i] = {static_cast<int>(values[0][column]), values[1][column], values[2][column] != 0};
  }
  return result;
}

// The choices of a few rows, on the device.
class Chooser {
 public:
  Chooser(std::span<const TokenChoice> choices, at::Device device) {
    std::vector<double> temperatures;
    std::vector<double> uniforms;
    std::vector<std::int64_t> forced;
    for (const TokenChoice& choice : choices) {
      any_sampled_ = any_sampled_ || (choice.forced < 0 && choice.temperature > 0);
      any_forced_ = any_forced_ || choice.forced >= 0;
      // Greedy rows' samples are not used; any temperature will do.
      temperatures.push_back(choice.temperature > 0 ? choice.temperature : 1);
      uniforms.push_back(choice.temperature > 0 ? choice.uniform : -1);
      forced.push_back(choice.forced);
    }
    if (any_sampled_) {
      temperature_ = to_device(std::span<const double>(temperatures), device);
      uniform_ = to_device(std::span<const double>(uniforms), device);
    }
    if (any_forced_) forced_ = to_device(std::span<const std::int64_t>(forced), device);
  }

  // [R,V] -> [R]
  at::Tensor choose(const at::Tensor& logits, const Summary& summary) const {
    at::Tensor tokens = summary.argmax;
    if (any_sampled_) {
      const at::Tensor sampled = sample(logits, summary.maximum, temperature_, uniform_);
      tokens = at::where(uniform_ >= 0, sampled, tokens);
    }
    if (any_forced_) tokens = at::where(forced_ >= 0, forced_, tokens);
    return tokens;
  }

 private:
  bool any_sampled_ = false;
  bool any_forced_ = false;
  at::Tensor temperature_, uniform_;  // [R] float64; a negative uniform number: greedy
  at::Tensor forced_;                 // [R] int64; negative: not forced
};

at::Tensor head(const InferenceModel& model, const at::Tensor& states, std::int64_t first,
                std::int64_t count, Profile& profile) {
  const Profile::Timer timer(profile, EngineStage::kHead);
  return model.logits(states.narrow(0, first, count));
}

}  // namespace

PendingTokens choose_on_device(const InferenceModel& model, const at::Tensor& states,
                               std::span<const TokenChoice> choices, Profile& profile) {
  std::vector<at::Tensor> tokens;
  std::vector<at::Tensor> judged;
  for (std::int64_t first = 0; first < states.size(0); first += kHeadRows) {
    const std::int64_t count = std::min(kHeadRows, states.size(0) - first);
    const at::Tensor logits = head(model, states, first, count, profile);
    const Profile::Timer timer(profile, EngineStage::kSample);
    const Summary summary = summarise(logits);
    const Chooser chooser(
        choices.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)),
        model.device());
    tokens.push_back(chooser.choose(logits, summary));
    const at::Tensor chosen = logits.gather(1, tokens.back().unsqueeze(1)).squeeze(1);
    judged.push_back(judge(tokens.back(), chosen, summary.log_sum, summary.argmax));
  }
  return {at::cat(tokens), [arrived = to_host(at::cat(judged, 1))] { return read(arrived()); }};
}

PendingScores score_on_device(const InferenceModel& model, const at::Tensor& states,
                              std::span<const ScoredToken> wanted, Profile& profile) {
  if (wanted.empty()) return [] { return std::vector<ChosenToken>(); };
  const WantedRows by_row(wanted);
  std::vector<std::int64_t> tokens;  // in by_row's order
  for (const std::size_t w : by_row.order) tokens.push_back(wanted[w].token);
  const at::Tensor token = to_device(std::span<const std::int64_t>(tokens), model.device());
  const at::Tensor needed =
      states.index_select(0, to_device(std::span<const std::int64_t>(by_row.rows), model.device()));
  std::vector<at::Tensor> judged;
  for (std::int64_t first = 0; first < needed.size(0); first += kHeadRows) {
    const std::int64_t count = std::min(kHeadRows, needed.size(0) - first);
    // Of each wanted token of these rows, its row among them.
    const auto begin = by_row.row_begins[static_cast<std::size_t>(first)];
    const auto end = by_row.row_begins[static_cast<std::size_t>(first + count)];
    std::vector<std::int64_t> rows(end - begin);
    for (std::int64_t r = 0; r < count; ++r) {
      const auto row = static_cast<std::size_t>(first + r);
      std::fill(rows.begin() + static_cast<std::ptrdiff_t>(by_row.row_begins[row] - begin),
                rows.begin() + static_cast<std::ptrdiff_t>(by_row.row_begins[row + 1] - begin), r);
    }
    const at::Tensor logits = head(model, needed, first, count, profile);
    const Profile::Timer timer(profile, EngineStage::kSample);
    const Summary summary = summarise(logits);
    const at::Tensor row = to_device(std::span<const std::int64_t>(rows), model.device());
    const at::Tensor part =
        token.narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin));
    const at::Tensor chosen = logits.flatten().index_select(0, row * logits.size(1) + part);
    judged.push_back(judge(part, chosen, summary.log_sum.index_select(0, row),
                           summary.argmax.index_select(0, row)));
  }
  return [order = by_row.order, arrived = to_host(at::cat(judged, 1))] {
    const std::vector<ChosenToken> sorted = read(arrived());
    std::vector<ChosenToken> result(sorted.size());
    for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = sorted[i];
    return result;
  };
}

}  // namespace fbt
