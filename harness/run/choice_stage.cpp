#include "harness/run/choice_stage.h"

#include <algorithm>
#include <utility>

#include "harness/run/judge.h"

namespace fbt::run {
namespace {

// A job on its way: results come in any order.
struct OpenDocument {
  tasks::Document document;
  std::vector<ScoreResult> results;
  std::size_t missing = 0;
};

results::Batch finished_rows(const Cell& cell, const OpenDocument& open) {
  const int id = open.document.id;
  results::Batch rows;
  results::Document& row = rows.documents.emplace_back();
  row.doc_id = id;
  row.prompt = open.document.requests.front().context;
  row.target = target_text(open.document.target);
  std::vector<double> log_likelihoods;
  for (std::size_t i = 0; i < open.results.size(); ++i) {
    const ScoreResult& result = open.results[i];
    row.prompt_tokens = std::max(row.prompt_tokens, result.context_tokens);
    row.cut_tokens = std::max(row.cut_tokens, result.cut_tokens);
    log_likelihoods.push_back(result.log_likelihood);
    rows.choices.push_back({.doc_id = id,
                            .choice = static_cast<int>(i),
                            .continuation = open.document.requests[i].continuation,
                            .log_likelihood = result.log_likelihood,
                            .tokens = result.continuation_tokens,
                            .is_greedy = result.is_greedy});
  }
  for (const tasks::MetricValue& metric :
       cell.task->score_choices(open.document, log_likelihoods)) {
    rows.scores.push_back({id, 0, metric.name, metric.value});
  }
  return rows;
}

}  // namespace

void score_choices(const std::vector<Cell>& cells, const std::vector<ChoiceJob>& jobs,
                   Backend& backend, Recorder& recorder,
                   const std::function<bool(std::size_t cell)>& scored) {
  std::vector<OpenDocument> open(jobs.size());
  std::vector<ScoreRequest> requests;
  std::vector<std::pair<std::size_t, std::size_t>> origin;  // request -> (job, choice)
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const Cell& cell = cells[jobs[job].cell];
    open[job].document = cell.prompts->document(jobs[job].document);
    const auto& asked = open[job].document.requests;
    open[job].results.resize(asked.size());
    open[job].missing = asked.size();
    for (std::size_t choice = 0; choice < asked.size(); ++choice) {
      requests.push_back({.context = asked[choice].context,
                          .continuation = asked[choice].continuation,
                          .mode = cell.mode,
                          .feedback_steps = cell.plan.feedback_steps});
      origin.emplace_back(job, choice);
    }
  }
  backend.score(requests, [&](std::size_t index, ScoreResult&& result) {
    const auto [job, choice] = origin[index];
    OpenDocument& document = open[job];
    document.results[choice] = result;
    if (--document.missing > 0) return true;
    const std::size_t cell = jobs[job].cell;
    recorder.record(cells[cell].run, finished_rows(cells[cell], document));
    document = {};
    return scored(cell);
  });
}

}  // namespace fbt::run
