#include "results/export/lm_eval.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/sha256.h"
#include "results/export/lm_eval_results.h"

namespace fbt::results {
namespace {

using nlohmann::json;

// The part of a sample's line that its document gives.
json document_json(const Document& document) {
  return {{"doc_id", document.doc_id},
          {"doc", {{"subject", document.subject}}},
          {"target", document.target},
          {"prompt_hash", sha256_hex(document.prompt)},
          {"target_hash", sha256_hex(document.target)}};
}

// Per document: each request's arguments, each request's responses, the
// filtered responses.
struct Answers {
  json arguments = json::object();
  json responses = json::array();
  json filtered = json::array();
};

void add_argument(Answers& answers, json first, json second) {
  answers.arguments[fmt::format("gen_args_{}", answers.arguments.size())] = {
      {"arg_0", std::move(first)}, {"arg_1", std::move(second)}};
}

std::map<std::int64_t, Answers> completions_at(const ChosenRun& chosen, double temperature,
                                               const std::map<std::int64_t, Document>& documents) {
  const json settings = {{"max_gen_toks", chosen.run.plan.max_new_tokens},
                         {"temperature", temperature}};
  std::map<std::int64_t, Answers> all;
  chosen.store->for_each_generation(chosen.run.id, [&](const Generation& generation) {
    if (generation.temperature != temperature) return;
    Answers& answers = all[generation.doc_id];
    if (answers.responses.empty()) {
      add_argument(answers, documents.at(generation.doc_id).prompt, settings);
      answers.responses.push_back(json::array());
    }
    answers.responses[0].push_back(generation.text);
    answers.filtered.push_back(generation.extracted);
  });
  return all;
}

std::map<std::int64_t, Answers> choices_of(const ChosenRun& chosen,
                                           const std::map<std::int64_t, Document>& documents) {
  std::map<std::int64_t, Answers> all;
  for (const Choice& choice : chosen.store->choices(chosen.run.id)) {
    Answers& answers = all[choice.doc_id];
    add_argument(answers, documents.at(choice.doc_id).prompt, choice.continuation);
    const json pair = {choice.log_likelihood, choice.is_greedy};
    answers.responses.push_back(json::array({pair}));
    answers.filtered.push_back(pair);
  }
  return all;
}

std::string sample_lines(const ChosenRun& chosen, const RunData& data) {
  std::map<std::int64_t, Document> documents;
  for (Document& document : chosen.store->documents(chosen.run.id, true)) {
    const std::int64_t id = document.doc_id;
    documents.emplace(id, std::move(document));
  }
  const std::size_t best = choose_scores(data, {}).temperature_index;
  const auto answers = chosen.run.plan.kind == "generation"
                           ? completions_at(chosen, data.temperatures[best], documents)
                           : choices_of(chosen, documents);
  std::string lines;
  for (std::size_t d = 0; d < data.doc_ids.size(); ++d) {
    const auto found = answers.find(data.doc_ids[d]);
    if (found == answers.end()) continue;
    json line = document_json(documents.at(found->first));
    line.update({{"arguments", found->second.arguments},
                 {"resps", found->second.responses},
                 {"filtered_resps", found->second.filtered},
                 {"filter", "none"},
                 {"metrics", json::array()}});
    for (const auto& [metric, values] : data.values) {
      line["metrics"].push_back(metric);
      line[metric] = values[best][d];
    }
    lines += dump_json(line) + '\n';
  }
  return lines;
}

// Of the runs, the last day and time, as "2026-01-31T12:00:00Z".
std::string last_date(std::span<const RunData> runs) {
  std::string last;
  for (const RunData& data : runs) {
    last = std::max({last, data.run.started_at, data.run.finished_at});
  }
  return last;
}

// As in lm-eval's file names: "2026-01-31T12-00-00.000000".
std::string file_date(std::string date) {
  std::replace(date.begin(), date.end(), ':', '-');
  if (date.ends_with('Z')) date.pop_back();
  return date + ".000000";
}

std::filesystem::path make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("cannot make folder {}: {}", folder.string(), error.message()));
  }
  return folder;
}

}  // namespace

std::vector<std::filesystem::path> export_lm_eval(std::span<const ChosenRun> runs,
                                                  const std::filesystem::path& folder,
                                                  bool with_samples) {
  refuse_twins(runs);
  // By checkpoint and mode.
  std::map<std::pair<std::string, std::string>, std::vector<const ChosenRun*>> models;
  for (const ChosenRun& chosen : runs) {
    models[{chosen.run.checkpoint.content_hash, mode_label(chosen.run.plan)}].push_back(&chosen);
  }
  std::vector<std::filesystem::path> written;
  const auto write = [&](std::filesystem::path path, const std::string& content) {
    write_file_atomically(path, content);
    written.push_back(std::move(path));
  };
  for (const auto& [key, members] : models) {
    std::vector<RunData> loaded;
    for (const ChosenRun* chosen : members) loaded.push_back(load_run(*chosen->store, chosen->run));
    const auto model_folder =
        make_folder(folder / lm_eval_folder_name(lm_eval_model_name(members.front()->run)));
    const std::string date = last_date(loaded);
    write(model_folder / fmt::format("results_{}.json", file_date(date)),
          lm_eval_results(loaded, date).dump(2) + "\n");
    if (!with_samples) continue;
    for (std::size_t i = 0; i < members.size(); ++i) {
      write(model_folder /
                fmt::format("samples_{}_{}.jsonl", members[i]->run.plan.task, file_date(date)),
            sample_lines(*members[i], loaded[i]));
    }
  }
  return written;
}

}  // namespace fbt::results
