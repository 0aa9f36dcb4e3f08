#include "harness/mechanism/probe_samples.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "tasks/probing/completion_tracking.h"
#include "tasks/probing/delayed_recall.h"
#include "tasks/probing/registers.h"

namespace fbt::mechanism {
namespace {

using tasks::probing::ProbeDataset;
using tasks::probing::ProbeSample;

ProbeDataset generate(const std::string& task, const ProbeSettings& settings,
                      const tasks::probing::TokenCounter& count_tokens) {
  const tasks::probing::ProbeOptions delayed{
      .seed = settings.seed, .groups = settings.groups, .idle_updates = settings.idle_updates};
  const tasks::probing::RegisterOptions written{
      .seed = settings.seed, .groups = settings.groups, .values = settings.register_values};
  if (task == "completion") return completion_tracking(delayed);
  if (task == "recall") return delayed_recall(delayed);
  for (const int m : tasks::probing::kRegisterCounts) {
    if (task == fmt::format("registers-{}", m)) return registers(m, count_tokens, written);
  }
  for (const int w : tasks::probing::kOverwriteCounts) {
    if (task == fmt::format("overwrites-{}", w)) return overwrites(w, count_tokens, written);
  }
  throw InputError(unknown_name_message("probe task", task, probe_tasks()));
}

}  // namespace

std::vector<std::string> probe_tasks() {
  std::vector<std::string> names = {"completion", "recall"};
  for (const int m : tasks::probing::kRegisterCounts)
    names.push_back(fmt::format("registers-{}", m));
  for (const int w : tasks::probing::kOverwriteCounts) {
    names.push_back(fmt::format("overwrites-{}", w));
  }
  return names;
}

ProbeSamples probe_samples(const std::string& task, const ProbeSettings& settings,
                           const PassStream& stream, std::vector<std::string>& notes) {
  const ProbeDataset data =
      generate(task, settings, [&](std::string_view text) { return stream.tokenize(text).size(); });
  const auto context = static_cast<std::size_t>(stream.context_length());
  std::vector<std::vector<int>> tokens;
  std::map<int, std::size_t> longest;  // by idle updates
  for (const ProbeSample& sample : data.samples) {
    tokens.push_back(stream.tokenize(sample.text));
    longest[sample.idle] = std::max(longest[sample.idle], tokens.back().size());
  }
  ProbeSamples samples;
  samples.task = task;
  samples.groups = data.groups;
  samples.padded_tokens = data.padded_tokens;
  samples.labels.classes = data.classes;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const ProbeSample& sample = data.samples[i];
    if (longest[sample.idle] > context) continue;
    samples.tokens.push_back(std::move(tokens[i]));
    samples.labels.labels.push_back(sample.label);
    samples.labels.groups.push_back(sample.group);
    samples.labels.idle.push_back(sample.idle);
  }
  for (const auto& [idle, length] : longest) {
    if (length <= context) continue;
    notes.push_back(
        fmt::format("{}: left out at {} idle updates: {} tokens do not fit the context of {}", task,
                    idle, length, context));
  }
  return samples;
}

}  // namespace fbt::mechanism
