#include "harness/run/choice_stage.h"

#include <algorithm>
#include <future>
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

// Jobs whose requests stand in memory at once: enough to keep the model busy, few
// enough that long few-shot prompts do not pile up.
constexpr std::size_t kWindowJobs = 768;

struct Window {
  std::span<const ChoiceJob> jobs;
  std::vector<OpenDocument> open;  // by job
  std::vector<ScoreRequest> requests;
  std::vector<std::pair<std::size_t, std::size_t>> origin;  // request -> (job, choice)
};

Window open_window(const std::vector<Cell>& cells, std::span<const ChoiceJob> jobs) {
  Window window{
      .jobs = jobs, .open = std::vector<OpenDocument>(jobs.size()), .requests = {}, .origin = {}};
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const Cell& cell = cells[jobs[job].cell];
    OpenDocument& open = window.open[job];
    open.document = cell.prompts->document(jobs[job].document);
    const auto& asked = open.document.requests;
    open.results.resize(asked.size());
    open.missing = asked.size();
    for (std::size_t choice = 0; choice < asked.size(); ++choice) {
      window.requests.push_back({.context = asked[choice].context,
                                 .continuation = asked[choice].continuation,
                                 .mode = cell.mode,
                                 .feedback_steps = cell.plan.feedback_steps});
      window.origin.emplace_back(job, choice);
    }
  }
  return window;
}

// Consecutive parts of the jobs; a document's jobs stay together.
std::vector<std::span<const ChoiceJob>> parts_of(std::span<const ChoiceJob> jobs) {
  std::vector<std::span<const ChoiceJob>> parts;
  for (std::size_t begin = 0; begin < jobs.size();) {
    std::size_t end = std::min(begin + kWindowJobs, jobs.size());
    while (end < jobs.size() && jobs[end].document == jobs[end - 1].document) ++end;
    parts.push_back(jobs.subspan(begin, end - begin));
    begin = end;
  }
  return parts;
}

}  // namespace

void score_choices(const std::vector<Cell>& cells, std::span<const ChoiceJob> jobs,
                   Backend& backend, Recorder& recorder,
                   const std::function<bool(std::size_t cell)>& scored) {
  const std::vector<std::span<const ChoiceJob>> parts = parts_of(jobs);
  const auto open_beside = [&](std::size_t part) {
    return std::async(std::launch::async, [&, part] { return open_window(cells, parts[part]); });
  };
  std::future<Window> next;
  if (!parts.empty()) next = open_beside(0);
  bool go_on = true;
  for (std::size_t part = 0; part < parts.size() && go_on; ++part) {
    Window window = next.get();
    if (part + 1 < parts.size()) next = open_beside(part + 1);
    backend.score(window.requests, [&](std::size_t index, ScoreResult&& result) {
      const auto [job, choice] = window.origin[index];
      OpenDocument& document = window.open[job];
      document.results[choice] = result;
      if (--document.missing > 0) return true;
      const std::size_t cell = window.jobs[job].cell;
      recorder.record(cells[cell].run, finished_rows(cells[cell], document));
      document = {};
      go_on = scored(cell);
      return go_on;
    });
  }
}

}  // namespace fbt::run
