#include "results/export/samples.h"

#include <map>

#include "base/json_lines.h"

namespace fbt::results {
namespace {

using nlohmann::json;

// What every line of a run says.
json run_json(const RunRecord& run) {
  return {{"checkpoint", run.checkpoint.name},
          {"checkpoint_hash", run.checkpoint.content_hash},
          {"task", run.plan.task},
          {"mode", mode_label(run.plan)},
          {"shots", run.plan.shots}};
}

void add_document(const Document& document, const SampleExportOptions& options, json& line) {
  line["doc_id"] = document.doc_id;
  if (!document.subject.empty()) line["subject"] = document.subject;
  if (!options.prompts) return;
  line["prompt"] = document.prompt;
  line["target"] = document.target;
}

std::map<std::int64_t, Document> documents_of(const ChosenRun& chosen,
                                              const SampleExportOptions& options) {
  std::map<std::int64_t, Document> documents;
  for (Document& document : chosen.store->documents(chosen.run.id, options.prompts)) {
    const std::int64_t id = document.doc_id;
    documents.emplace(id, std::move(document));
  }
  return documents;
}

void export_completions(const ChosenRun& chosen, const SampleExportOptions& options,
                        const std::function<void(const std::string&)>& line) {
  const auto documents = documents_of(chosen, options);
  const json head = run_json(chosen.run);
  chosen.store->for_each_generation(chosen.run.id, [&](const Generation& generation) {
    json object = head;
    add_document(documents.at(generation.doc_id), options, object);
    object.update({{"temperature", generation.temperature},
                   {"sample", generation.sample},
                   {"completion", generation.text},
                   {"verdict", verdict_name(generation.verdict)},
                   {"score", generation.score},
                   {"rule", generation.rule},
                   {"extracted", generation.extracted},
                   {"trace_length", generation.trace_length},
                   {"reasoning_length", generation.reasoning_length},
                   {"stop_reason", generation.stop_reason},
                   {"log_likelihood", generation.log_likelihood},
                   {"seconds", generation.seconds}});
    if (options.tokens) object["tokens"] = generation.tokens;
    line(dump_json(object));
  });
}

void export_choices(const ChosenRun& chosen, const SampleExportOptions& options,
                    const std::function<void(const std::string&)>& line) {
  std::map<std::int64_t, json> choices;
  for (const Choice& choice : chosen.store->choices(chosen.run.id)) {
    choices[choice.doc_id].push_back({{"continuation", choice.continuation},
                                      {"log_likelihood", choice.log_likelihood},
                                      {"tokens", choice.tokens},
                                      {"is_greedy", choice.is_greedy}});
  }
  std::map<std::int64_t, json> scores;
  for (const DocumentScore& score : chosen.store->scores(chosen.run.id)) {
    scores[score.doc_id][score.metric] = score.value;
  }
  const json head = run_json(chosen.run);
  for (const auto& [id, document] : documents_of(chosen, options)) {
    json object = head;
    add_document(document, options, object);
    object["choices"] = choices[id];
    object["scores"] = scores[id];
    line(dump_json(object));
  }
}

}  // namespace

void export_samples(const ChosenRun& chosen, const SampleExportOptions& options,
                    const std::function<void(const std::string&)>& line) {
  if (chosen.run.plan.kind == "generation") {
    export_completions(chosen, options, line);
  } else {
    export_choices(chosen, options, line);
  }
}

}  // namespace fbt::results
