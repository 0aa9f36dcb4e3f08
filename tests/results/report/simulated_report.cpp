#include "tests/results/report/simulated_report.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.h"
#include "results/store/experiments.h"
#include "tests/results/simulate.h"

namespace fbt::results::testing {
namespace {

using nlohmann::json;

constexpr int kLayers = 6;

Simulation simulation(double ability, double trace_length, std::uint64_t seed, int documents) {
  Simulation made;
  made.documents = documents;
  made.seed = seed;
  made.trace_length = trace_length;
  made.right = [ability, documents](int document, double temperature) {
    const double hardness = (document + 0.5) / documents - 0.5;
    return 1 / (1 + std::exp(-(ability - 3 * hardness - temperature / 2)));
  };
  return made;
}

double ability_of(double tokens, const std::string& mode) {
  return std::log2(tokens / 200e9) * 0.5 + (mode == "standard" ? 0 : mode == "soft" ? 0.2 : 0.5);
}

Plan sweep_plan(int steps) {
  Plan plan = choice_plan("arc_easy", "fused");
  plan.feedback_steps = steps;
  return plan;
}

// Losses that settle (or swing, where `settles` is false).
json window(int steps, bool settles, int number) {
  json loss = json::array();
  json change = json::array();
  for (int n = 0; n <= steps; ++n) {
    const double swing = settles ? 0 : 0.15 * (n % 2);
    loss.push_back(2.6 - 0.3 * (1 - std::exp(-n / 1.5)) + swing + 0.01 * number);
    change.push_back(n == 0 ? 0 : settles ? 8 * std::exp(-n / 2.0) + 1e-4 : 3 + 0.5 * (n % 2));
  }
  return {{"loss", loss}, {"change", change}, {"tokens", 128}};
}

void add_stability(ExperimentStore& store, const Checkpoint& checkpoint, bool settles) {
  constexpr int kSteps = 60;
  const ExperimentId id = store.get_or_create(
      checkpoint, "stability", dump_json({{"source", "validation.txt"}, {"steps", kSteps}}), 3);
  for (int i = 0; i < (settles ? 3 : 2); ++i) {
    store.append(id, fmt::format("{:06}", i), dump_json(window(kSteps, settles, i)));
  }
}

void add_probe(ExperimentStore& store, const Checkpoint& checkpoint) {
  const ExperimentId id = store.get_or_create(checkpoint, "probe", "{}", 8);
  for (const char* task : {"completion", "recall"}) {
    for (const char* condition : {"standard", "fused-1", "fused-2", "suffix-1"}) {
      json layers = json::array();
      for (int layer = 0; layer <= kLayers; ++layer) {
        const bool plain = std::string_view(condition) == "standard";
        const double accuracy = plain ? 0.5 + 0.07 * layer : 0.9 + 0.015 * layer;
        layers.push_back({{"accuracy", accuracy},
                          {"interval", {accuracy - 0.02, std::min(1.0, accuracy + 0.02)}},
                          {"shuffled", 0.49},
                          {"shuffled_interval", {0.46, 0.52}},
                          {"by_idle", json::object()},
                          {"strengths", {1}}});
      }
      const json unit = {{"task", task},    {"condition", condition}, {"samples", 1600},
                         {"groups", 80},    {"chance", 0.5},          {"padded_tokens", 0},
                         {"layers", layers}};
      store.append(id, std::string(task) + "/" + condition, dump_json(unit));
    }
  }
}

}  // namespace

void write_ladder(const std::filesystem::path& database) {
  Store store(database, OpenMode::kWrite);
  std::uint64_t seed = 1;
  for (const double tokens : {100e9, 200e9, 400e9}) {
    const Checkpoint standard =
        checkpoint(fmt::format("standard-{:.0f}B", tokens / 1e9), tokens, "standard", 1);
    const Checkpoint fbt =
        checkpoint(fmt::format("FBT-{:.0f}B", tokens / 1e9), tokens, "full-bandwidth", 1.25);
    write_run(store, standard, greedy_plan("standard"),
              simulation(ability_of(tokens, "standard"), 110, seed++, 300));
    for (const char* mode : {"standard", "soft", "fused"}) {
      const double length = std::string_view(mode) == "fused" ? 85 : 105;
      write_run(store, fbt, greedy_plan(mode),
                simulation(ability_of(tokens, mode), length, seed++, 300));
      write_run(store, fbt, code_plan(mode),
                simulation(ability_of(tokens, mode) - 1, length * 2, seed++, 20));
    }
    for (int steps = 0; steps <= 3; ++steps) {
      write_run(store, fbt, sweep_plan(steps),
                simulation(ability_of(tokens, "standard") + 0.3 * std::min(steps, 2), 0, 77, 200));
    }
    if (tokens > 100e9) {
      ExperimentStore experiments(database, OpenMode::kWrite);
      add_stability(experiments, fbt, tokens > 200e9);
      if (tokens > 200e9) add_probe(experiments, fbt);
    }
  }
}

void write_hostile(const std::filesystem::path& database) {
  Store store(database, OpenMode::kWrite);
  Checkpoint evil = checkpoint("evil");
  evil.name = "<b>evil</b> & \"co\"";
  for (const char* mode : {"standard", "fused"}) {
    const Plan plan = greedy_plan(mode);
    const RunId run = store.get_or_create_run(store.get_or_create_checkpoint(evil),
                                              store.get_or_create_plan(plan), 6);
    for (Batch& batch : simulate(plan, simulation(0, 100, 3, 6))) {
      for (Document& document : batch.documents) {
        document.prompt += kHostileText;
        document.target = kHostileText;
      }
      for (Generation& generation : batch.generations) {
        generation.text = kHostileText;
        generation.extracted = kHostileText;
        generation.rule = "<i>rule</i>";
      }
      store.append(run, batch);
    }
  }
}

void write_many(const std::filesystem::path& database, int samples) {
  Store store(database, OpenMode::kWrite);
  const std::string filler = " the quick brown fox counts its steps and adds them up once more";
  for (const char* mode : {"standard", "fused"}) {
    const Plan plan = greedy_plan(mode);
    const int documents = samples / 2;
    const RunId run = store.get_or_create_run(store.get_or_create_checkpoint(checkpoint("many")),
                                              store.get_or_create_plan(plan), documents);
    Batch all;
    const std::uint64_t seed = std::string_view(mode) == "fused" ? 5 : 6;
    for (Batch& batch : simulate(plan, simulation(0, 100, seed, documents))) {
      for (Generation& generation : batch.generations) {
        for (int i = 0; i < 6; ++i) generation.text += filler;
        if (generation.doc_id == documents - 7) generation.text += " Zebra";
        all.generations.push_back(std::move(generation));
      }
      all.documents.push_back(std::move(batch.documents.front()));
      all.scores.push_back(batch.scores.front());
    }
    store.append(run, all);
  }
}

}  // namespace fbt::results::testing
