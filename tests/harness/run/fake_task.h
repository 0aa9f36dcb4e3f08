#pragma once

// A task of arithmetic made up for tests: document i asks for i + i.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tasks/task.h"

namespace fbt::testing {

class FakePrompts : public tasks::PromptSet {
 public:
  FakePrompts(tasks::TaskKind kind, int documents) : kind_(kind), documents_(documents) {}
  int shots() const override { return 0; }
  int document_count() const override { return documents_; }
  std::string hash() const override { return "fake"; }
  tasks::Document document(int id) const override {
    tasks::Document document;
    document.id = id;
    const std::string question = fmt::format("{0}+{0}=", id);
    if (kind_ == tasks::TaskKind::kMultipleChoice) {
      document.target = 1;
      document.choices = {"odd", "even"};
      document.requests = {{question, " odd"}, {question, " even"}};
    } else {
      document.target = std::to_string(id + id);
      document.reference.gold = fmt::format("#### {}", id + id);
      document.generation = tasks::GenerationRequest{question, {"\n\n"}, 16};
    }
    return document;
  }

 private:
  tasks::TaskKind kind_;
  int documents_;
};

class FakeTask : public tasks::Task {
 public:
  FakeTask(std::string name, tasks::TaskKind kind, int documents, tasks::ScorerSpec scorer,
           tasks::SamplingDefaults sampling, std::vector<std::string> metrics)
      : name_(std::move(name)),
        kind_(kind),
        documents_(documents),
        scorer_(std::move(scorer)),
        sampling_(std::move(sampling)),
        metrics_(std::move(metrics)) {}

  const std::string& name() const override { return name_; }
  const std::string& title() const override { return name_; }
  tasks::TaskKind kind() const override { return kind_; }
  int default_shots() const override { return 0; }
  int document_count() const override { return documents_; }
  const std::vector<std::string>& metrics() const override { return metrics_; }
  const tasks::ScorerSpec& scorer() const override { return scorer_; }
  const tasks::SamplingDefaults& sampling() const override { return sampling_; }
  std::shared_ptr<const tasks::PromptSet> prompts(const tasks::PromptOptions&) const override {
    return std::make_shared<FakePrompts>(kind_, documents_);
  }
  std::vector<tasks::MetricValue> score_choices(
      const tasks::Document&, std::span<const double> log_likelihoods) const override {
    return {{"acc", log_likelihoods[1] > log_likelihoods[0] ? 1.0 : 0.0}};
  }

 private:
  std::string name_;
  tasks::TaskKind kind_;
  int documents_;
  tasks::ScorerSpec scorer_;
  tasks::SamplingDefaults sampling_;
  std::vector<std::string> metrics_;
};

inline std::shared_ptr<const tasks::Task> sums_task(int documents,
                                                    tasks::SamplingDefaults sampling = {}) {
  return std::make_shared<FakeTask>("sums", tasks::TaskKind::kGeneration, documents,
                                    tasks::ScorerSpec{.name = "gsm8k", .pattern = ""}, sampling,
                                    std::vector<std::string>{"exact_match"});
}

}  // namespace fbt::testing
