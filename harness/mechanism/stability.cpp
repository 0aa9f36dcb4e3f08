#include "harness/mechanism/stability.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fbt::mechanism {
namespace {

using nlohmann::json;

// Windows that go through the engine together; it packs them by its own limit.
constexpr std::size_t kTogether = 8;

// Steps, as a share of a window, from which on the positions that are exact by
// then weigh in the averages.
constexpr double kFewSteps = 0.25;

json to_json(const WindowCurve& curve) {
  return {{"loss", curve.loss}, {"change", curve.change}, {"tokens", curve.tokens}};
}

WindowCurve from_json(const json& value) {
  return {value.at("loss").get<std::vector<double>>(),
          value.at("change").get<std::vector<double>>(), value.at("tokens").get<int>()};
}

void compute(const std::vector<std::vector<int>>& sequences, int steps, PassStream& stream,
             const std::function<void(std::size_t, const WindowCurve&)>& done,
             const std::function<bool()>& go_on) {
  std::vector<WindowCurve> curves(sequences.size());
  stream.run(sequences, steps, [&](std::size_t i, int step, const PassFigures& figures) {
    const auto tokens = static_cast<double>(sequences[i].size());
    curves[i].tokens = static_cast<int>(tokens);
    curves[i].loss.push_back(figures.loss_sum / (tokens - 1));
    curves[i].change.push_back(figures.change_sum / tokens);
    if (step == steps) done(i, curves[i]);
    return go_on();
  });
}

int longest_window(const StabilityResult& result) {
  int longest = 0;
  for (const WindowCurve& window : result.windows) longest = std::max(longest, window.tokens);
  return longest;
}

void summarize(StabilityResult& result, ConvergenceOptions options) {
  result.loss.assign(static_cast<std::size_t>(result.steps) + 1, 0);
  result.change = result.loss;
  double predicted = 0;
  double positions = 0;
  for (const WindowCurve& window : result.windows) {
    predicted += window.tokens - 1;
    positions += window.tokens;
    for (std::size_t n = 0; n < result.loss.size(); ++n) {
      result.loss[n] += window.loss[n] * (window.tokens - 1);
      result.change[n] += window.change[n] * window.tokens;
    }
  }
  if (result.windows.empty()) return;
  for (double& loss : result.loss) loss /= predicted;
  for (double& change : result.change) change /= positions;
  options.longest_sequence = longest_window(result);
  result.convergence = diagnose(result.loss, result.change, options);
  result.verdict_in_words = describe(result.convergence, options);
  result.explanation = explain(result.convergence, options);
}

std::vector<int> shown_steps(int steps) {
  std::vector<int> shown;
  for (int n = 0; n < steps; n += n < 8 ? 1 : n / 4) shown.push_back(n);
  shown.push_back(steps);
  return shown;
}

}  // namespace

StabilityResult run_stability(const StabilityOptions& options,
                              const results::Checkpoint& checkpoint, const TextWindows& text,
                              PassStream& stream) {
  StabilityResult result;
  result.checkpoint = checkpoint.name;
  result.source = text.source;
  result.steps = options.steps;
  result.windows_planned = static_cast<int>(text.windows.size());

  std::vector<std::string> items;
  for (std::size_t i = 0; i < text.windows.size(); ++i) items.push_back(fmt::format("{:06}", i));
  const json settings = {{"steps", options.steps},
                         {"source", text.source},
                         {"text", text.hash},
                         {"dtype", options.dtype}};
  Experiment experiment(options.record, checkpoint, "stability", settings, items);
  const std::vector<std::size_t>& missing = experiment.missing();
  for (std::size_t begin = 0; begin < missing.size(); begin += kTogether) {
    const std::size_t end = std::min(begin + kTogether, missing.size());
    std::vector<std::vector<int>> sequences;
    for (std::size_t i = begin; i < end; ++i) sequences.push_back(text.windows[missing[i]]);
    compute(
        sequences, options.steps, stream,
        [&](std::size_t i, const WindowCurve& curve) {
          experiment.record(missing[begin + i], to_json(curve));
        },
        [] { return !run::interrupted(); });
    experiment.stop_if_interrupted();
  }
  for (const auto& [index, value] : experiment.results()) {
    result.windows.push_back(from_json(value));
  }
  summarize(result, options.convergence);
  return result;
}

results::Table stability_table(const StabilityResult& result) {
  results::Table table;
  table.title = fmt::format("{}: loss and movement of the states by feedback step, {}",
                            result.checkpoint, result.source);
  table.columns = {{"step", true},
                   {"loss", true},
                   {"change of loss", true},
                   {"perplexity", true},
                   {"mean |s(n)-s(n-1)|", true}};
  if (result.windows.empty()) {
    table.notes.push_back("nothing computed yet");
    return table;
  }
  for (const int n : shown_steps(result.steps)) {
    const auto at = static_cast<std::size_t>(n);
    table.rows.push_back(
        {std::to_string(n), fmt::format("{:.5f}", result.loss[at]),
         n == 0 ? "-" : fmt::format("{:+.2e}", result.loss[at] - result.loss[at - 1]),
         fmt::format("{:.3f}", std::exp(result.loss[at])),
         n == 0 ? "-" : fmt::format("{:.3e}", result.change[at])});
  }
  table.notes.push_back(result.explanation);
  table.notes.push_back(
      result.convergence.settled_step
          ? fmt::format("from step {} on the loss stays within the tolerance of its value there",
                        *result.convergence.settled_step)
          : "the loss does not settle within the tolerance");
  const int longest = longest_window(result);
  if (result.steps >= kFewSteps * longest) {
    table.notes.push_back(fmt::format(
        "windows have at most {} tokens: after {} steps the first {} positions stand exactly at "
        "the recurrent model's states, whatever the iteration does; longer windows or fewer steps "
        "say more",
        longest, result.steps, std::min(result.steps + 1, longest)));
  }
  if (!result.complete()) {
    table.notes.push_back(fmt::format("{} of {} windows; join the shards with fbt-eval merge",
                                      result.windows.size(), result.windows_planned));
  }
  return table;
}

nlohmann::json stability_json(const StabilityResult& result) {
  const Convergence& c = result.convergence;
  json windows = json::array();
  for (const WindowCurve& window : result.windows) windows.push_back(to_json(window));
  return {{"schema", 1},
          {"experiment", "stability"},
          {"checkpoint", result.checkpoint},
          {"source", result.source},
          {"steps", result.steps},
          {"windows_planned", result.windows_planned},
          {"windows_done", result.windows.size()},
          {"loss", result.loss},
          {"state_change", result.change},
          {"verdict", verdict_name(c.verdict)},
          {"verdict_in_words", result.verdict_in_words},
          {"explanation", result.explanation},
          {"settled_step", c.settled_step ? json(*c.settled_step) : json(nullptr)},
          {"diagnosis",
           {{"last_step", c.last_step},
            {"tail_steps", c.tail},
            {"tail_range", c.tail_range},
            {"tail_lowest", c.tail_lowest},
            {"tail_over_plain", c.tail_over_plain},
            {"tail_trend", c.tail_trend},
            {"lowest_loss", c.lowest_loss},
            {"lowest_step", c.lowest_step},
            {"reversals", c.reversals},
            {"contraction", c.contraction}}},
          {"windows", windows}};
}

}  // namespace fbt::mechanism
