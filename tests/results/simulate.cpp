#include "tests/results/simulate.h"

#include <cmath>

#include <fmt/format.h>

#include "base/random.h"
#include "base/sha256.h"

namespace fbt::results::testing {
namespace {

Plan plan(const std::string& task, const std::string& mode, const std::string& kind) {
  Plan plan;
  plan.task = task;
  plan.mode = mode;
  plan.kind = kind;
  plan.feedback_steps = mode == "fused" ? 1 : 0;
  plan.seed = 1234;
  plan.dtype = "float32";
  plan.prompts_hash = sha256_hex("prompts of " + task);
  plan.data_hash = sha256_hex("data of " + task);
  return plan;
}

// 1 - C(n-c, k) / C(n, k), the slow obvious way.
double pass_at_k(int n, int c, int k) {
  double miss = 1;
  for (int i = 0; i < k; ++i) miss *= static_cast<double>(n - c - i) / (n - i);
  return 1 - std::max(0.0, miss);
}

// Numbers for one document; every use takes the next lane.
class Dice {
 public:
  Dice(std::uint64_t seed, int document)
      : random_(seed), step_(static_cast<std::uint64_t>(document)) {}
  double uniform() { return random_.uniform(step_, lane_++); }

 private:
  KeyedRandom random_;
  std::uint64_t step_;
  std::uint64_t lane_ = 0;
};

void add_generations(const Plan& plan, const Simulation& simulation, int document, Dice& dice,
                     Batch& batch) {
  for (const double temperature : plan.temperatures) {
    int correct = 0;
    for (int sample = 0; sample < plan.samples; ++sample) {
      const bool right = dice.uniform() < simulation.right(document, temperature);
      correct += right ? 1 : 0;
      Generation generation;
      generation.doc_id = document;
      generation.temperature = temperature;
      generation.sample = sample;
      generation.text = fmt::format("Simulated answer {}", right ? 42 : 41);
      const double spread = 0.6 + 0.8 * dice.uniform();
      generation.trace_length = static_cast<int>(std::lround(simulation.trace_length * spread));
      generation.reasoning_length = generation.trace_length - 3;
      generation.tokens.assign(static_cast<std::size_t>(generation.trace_length), 7);
      generation.stop_reason = "stop_string";
      generation.verdict = right ? Verdict::kRight : Verdict::kWrong;
      generation.rule = "simulated";
      generation.extracted = right ? "42" : "41";
      generation.score = right ? 1 : 0;
      generation.log_likelihood = -generation.trace_length * 0.5;
      generation.seconds = 0.01;
      batch.generations.push_back(std::move(generation));
    }
    for (const Metric& metric : plan.metrics) {
      const int k = metric.name == "pass@3" ? 3 : 1;
      batch.scores.push_back(
          {document, temperature, metric.name, pass_at_k(plan.samples, correct, k)});
    }
  }
}

void add_choices(const Plan& plan, const Simulation& simulation, int document, Dice& dice,
                 Batch& batch) {
  const bool right = dice.uniform() < simulation.right(document, 0);
  for (int choice = 0; choice < 4; ++choice) {
    const bool best = (choice == 0) == right && choice < 2;
    batch.choices.push_back({document, choice, fmt::format(" choice {}", choice),
                             best ? -1.0 : -2.0 - choice, 2, best});
  }
  for (const Metric& metric : plan.metrics) {
    batch.scores.push_back({document, 0, metric.name, right ? 1.0 : 0.0});
  }
}

}  // namespace

Checkpoint checkpoint(const std::string& name, double train_tokens, const std::string& family,
                      double average_passes) {
  return {sha256_hex(name), name, train_tokens, average_passes, family, "base", "/models/" + name};
}

Plan greedy_plan(const std::string& mode) {
  Plan result = plan("gsm8k", mode, "generation");
  result.shots = 5;
  result.temperatures = {0};
  result.k = {1};
  result.max_new_tokens = 256;
  result.metrics = {{"exact_match", "strict answer after ####, v1"}};
  result.primary_metric = "exact_match";
  return result;
}

Plan code_plan(const std::string& mode) {
  Plan result = plan("humaneval", mode, "generation");
  result.temperatures = {0.3, 0.5, 0.7};
  result.samples = 10;
  result.k = {1, 3};
  result.max_new_tokens = 512;
  result.metrics = {{"pass@1", "unbiased, v1"}, {"pass@3", "unbiased, v1"}};
  result.primary_metric = "pass@3";
  return result;
}

Plan choice_plan(const std::string& task, const std::string& mode) {
  Plan result = plan(task, mode, "log_likelihood");
  result.shots = 5;
  result.metrics = {{"acc", "argmax of log-likelihood, v1"},
                    {"acc_norm", "argmax of log-likelihood per character, v1"}};
  result.primary_metric = "acc";
  return result;
}

std::vector<Batch> simulate(const Plan& plan, const Simulation& simulation) {
  std::vector<Batch> batches;
  const int end = simulation.stop_before >= 0 ? simulation.stop_before : simulation.documents;
  for (int document = 0; document < end; ++document) {
    if (document % simulation.shards != simulation.shard) continue;
    Dice dice(simulation.seed, document);
    Batch& batch = batches.emplace_back();
    batch.documents.push_back({document, simulation.subject(document),
                               fmt::format("Question {} of {}?\n", document, plan.task), "42", 20,
                               0});
    if (plan.kind == "generation") {
      add_generations(plan, simulation, document, dice, batch);
    } else {
      add_choices(plan, simulation, document, dice, batch);
    }
  }
  return batches;
}

RunId write_run(Store& store, const Checkpoint& checkpoint, const Plan& plan,
                const Simulation& simulation) {
  const RunId run = store.get_or_create_run(store.get_or_create_checkpoint(checkpoint),
                                            store.get_or_create_plan(plan), simulation.documents);
  const SessionId session = store.begin_session(run, {simulation.program_version, "1.13", "cpu", 2,
                                                      plan.task == "humaneval" ? "namespace" : ""});
  Batch all;
  for (Batch& batch : simulate(plan, simulation)) {
    const auto move_all = [](auto& from, auto& to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    move_all(batch.documents, all.documents);
    move_all(batch.generations, all.generations);
    move_all(batch.choices, all.choices);
    move_all(batch.scores, all.scores);
  }
  store.append(run, all);
  store.end_session(
      session, simulation.stop_before >= 0 ? SessionStatus::kInterrupted : SessionStatus::kFinished,
      R"({"generated_tokens": 1000})");
  return run;
}

}  // namespace fbt::results::testing
