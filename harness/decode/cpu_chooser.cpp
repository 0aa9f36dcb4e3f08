#include "harness/decode/cpu_chooser.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "harness/decode/parallel.h"
#include "harness/decode/scalar.h"
#include "harness/decode/wanted_rows.h"

namespace fbt {
namespace {

// Rows of logits that stand in memory at once.
constexpr std::int64_t kHeadRows = 64;

using kernels::LogitSummary;

// The head over states [R,D], block by block: visit(row, logits, summary) on
// whichever thread is free, where `logits` points at V wide scalars.
template <typename S, typename Visit>
void for_each_row(const CpuModel& model, const at::Tensor& states, Profile& profile,
                  const Visit& visit) {
  const std::int64_t vocabulary = model.config().vocab_size;
  for (std::int64_t first = 0; first < states.size(0); first += kHeadRows) {
    const std::int64_t count = std::min(kHeadRows, states.size(0) - first);
    Scratch::Frame frame(model.scratch());
    const at::Tensor logits = frame.take({count, vocabulary}, model.wide_type());
    {
      const Profile::Timer timer(profile, EngineStage::kHead);
      model.logits(states.narrow(0, first, count), logits);
    }
    const Profile::Timer timer(profile, EngineStage::kSample);
    parallel_rows(count, vocabulary, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const kernels::Wide<S>* values = wide_scalars<S>(logits) + row * vocabulary;
        visit(first + row, values, kernels::table<S>().summarise(values, vocabulary));
      }
    });
  }
}

template <typename W>
ChosenToken chosen(const W* logits, const LogitSummary& summary, std::int64_t token) {
  return {static_cast<int>(token), static_cast<double>(logits[token]) - summary.log_sum,
          token == summary.argmax};
}

}  // namespace

std::vector<ChosenToken> choose_tokens(const CpuModel& model, const at::Tensor& states,
                                       std::span<const TokenChoice> choices, Profile& profile) {
  std::vector<ChosenToken> result(choices.size());
  const std::int64_t vocabulary = model.config().vocab_size;
  Scratch::Frame frame(model.scratch());
  const at::Tensor exponentials =
      frame.take({at::get_num_threads(), vocabulary}, model.wide_type());
  with_scalar(model.compute_type(), [&]<typename S>(S) {
    using W = kernels::Wide<S>;
    for_each_row<S>(model, states, profile,
                    [&](std::int64_t row, const W* logits, const LogitSummary& summary) {
                      const TokenChoice& choice = choices[static_cast<std::size_t>(row)];
                      std::int64_t token = choice.forced;
                      if (token < 0 && choice.temperature > 0) {
                        token = kernels::table<S>().sample(
                            logits, vocabulary, choice.temperature, summary.maximum, choice.uniform,
                            wide_scalars<S>(exponentials) + at::get_thread_num() * vocabulary);
                      } else if (token < 0) {
                        token = summary.argmax;
                      }
                      result[static_cast<std::size_t>(row)] = chosen(logits, summary, token);
                    });
  });
  return result;
}

std::vector<ChosenToken> score_tokens(const CpuModel& model, const at::Tensor& states,
                                      std::span<const ScoredToken> wanted, Profile& profile) {
  std::vector<ChosenToken> result(wanted.size());
  if (wanted.empty()) return result;
  const WantedRows by_row(wanted);
  const at::Tensor needed = states.index_select(0, at::tensor(by_row.rows, at::kLong));
  with_scalar(model.compute_type(), [&]<typename S>(S) {
    using W = kernels::Wide<S>;
    for_each_row<S>(model, needed, profile,
                    [&](std::int64_t row, const W* logits, const LogitSummary& summary) {
                      const auto r = static_cast<std::size_t>(row);
                      for (std::size_t i = by_row.row_begins[r]; i < by_row.row_begins[r + 1];
                           ++i) {
                        const std::size_t w = by_row.order[i];
                        result[w] = chosen(logits, summary, wanted[w].token);
                      }
                    });
  });
  return result;
}

}  // namespace fbt
