#include "results/report/write/sample_json.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "results/report/section/style.h"

namespace fbt::results {
namespace {

using nlohmann::json;

// Numbers for names, in the order in which they first come.
class Names {
 public:
  std::size_t index(const std::string& name) {
    const auto [found, is_new] = places_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return found->second;
  }
  const std::vector<std::string>& list() const { return names_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
};

std::string_view common_start(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return a.substr(0, static_cast<std::size_t>(end - a.begin()));
}

// What all prompts of a task begin with: whole lines, empty where it is not worth it.
std::map<std::string, std::string> prompt_heads(const SampleSet& set) {
  constexpr std::size_t kWorthwhile = 64;
  std::map<std::string, std::string> heads;
  for (const BrowserDocument& document : set.documents) {
    const auto [head, is_new] = heads.try_emplace(document.task, document.prompt);
    if (!is_new) head->second = std::string(common_start(head->second, document.prompt));
  }
  for (auto& [task, head] : heads) {
    const std::size_t line = head.rfind('\n');
    head.resize(line == std::string::npos ? 0 : line + 1);
    if (head.size() < kWorthwhile) head.clear();
  }
  return heads;
}

json documents_json(const SampleSet& set, Names& tasks, json& heads_by_task) {
  const std::map<std::string, std::string> heads = prompt_heads(set);
  json task = json::array();
  json id = json::array();
  json subject = json::array();
  json target = json::array();
  json prompt = json::array();
  for (const BrowserDocument& document : set.documents) {
    const std::string& head = heads.at(document.task);
    if (tasks.index(document.task) == heads_by_task.size()) heads_by_task.push_back(head);
    task.push_back(tasks.index(document.task));
    id.push_back(document.doc_id);
    subject.push_back(document.subject);
    target.push_back(document.target);
    prompt.push_back(document.prompt.substr(head.size()));
  }
  return {{"task", task}, {"id", id}, {"subject", subject}, {"target", target}, {"prompt", prompt}};
}

}  // namespace

json sample_json(const ReportData& data) {
  const SampleSet& set = data.samples;
  Names tasks;
  Names checkpoints;
  Names modes;
  Names words;  // rules and stop reasons
  json heads = json::array();
  const json documents = documents_json(set, tasks, heads);
  // In the order of the tables, whatever the samples come in.
  for (const ComparisonRow& row : data.comparison.rows) {
    checkpoints.index(checkpoint_label(data, row.checkpoint));
  }
  std::map<std::string, json> columns;
  for (const char* name : {"document", "checkpoint", "mode", "temperature", "sample", "verdict",
                           "trace", "reasoning", "stop", "rule", "extracted", "text"}) {
    columns[name] = json::array();
  }
  for (const BrowserSample& sample : set.samples) {
    const RunRecord& run = data.runs[sample.run].run;
    columns["document"].push_back(sample.document);
    columns["checkpoint"].push_back(checkpoints.index(checkpoint_label(data, run.checkpoint)));
    columns["mode"].push_back(modes.index(mode_label(run.plan)));
    columns["temperature"].push_back(sample.temperature);
    columns["sample"].push_back(sample.sample);
    columns["verdict"].push_back(static_cast<int>(sample.verdict));
    columns["trace"].push_back(sample.trace_length);
    columns["reasoning"].push_back(sample.reasoning_length);
    columns["stop"].push_back(words.index(sample.stop_reason));
    columns["rule"].push_back(words.index(sample.rule));
    columns["extracted"].push_back(sample.extracted);
    columns["text"].push_back(sample.text);
  }
  return {{"total", set.total},     {"tasks", tasks.list()},
          {"heads", heads},         {"checkpoints", checkpoints.list()},
          {"modes", modes.list()},  {"words", words.list()},
          {"documents", documents}, {"samples", columns}};
}

}  // namespace fbt::results
