#include "results/report/collect/samples.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::results {
namespace {

// Of each task, how many samples each document has in all runs.
using DocumentSizes = std::map<std::string, std::map<std::int64_t, long long>>;
using ChosenDocuments = std::map<std::string, std::set<std::int64_t>>;

DocumentSizes document_sizes(std::span<const RunData> runs) {
  DocumentSizes sizes;
  for (const RunData& run : runs) {
    auto& documents = sizes[run.run.plan.task];
    if (run.run.plan.kind != "generation") {
      for (const std::int64_t id : run.doc_ids) ++documents[id];
    }
    for (const auto& at_temperature : run.samples) {
      for (const SampleOutcome& sample : at_temperature) ++documents[sample.doc_id];
    }
  }
  return sizes;
}

long long total_of(const std::map<std::int64_t, long long>& documents) {
  long long total = 0;
  for (const auto& [id, size] : documents) total += size;
  return total;
}

std::set<std::int64_t> spread(const std::map<std::int64_t, long long>& documents,
                              long long budget) {
  const auto count = static_cast<long long>(documents.size());
  const long long total = total_of(documents);
  const long long keep = total <= budget ? count : std::max(1LL, count * budget / total);
  std::set<std::int64_t> kept;
  long long index = 0;
  for (const auto& [id, size] : documents) {
    // True `keep` times, at equal distances.
    if (index * keep / count != (index + 1) * keep / count) kept.insert(id);
    ++index;
  }
  return kept;
}

ChosenDocuments choose_documents(const DocumentSizes& sizes, int most) {
  ChosenDocuments chosen;
  if (most <= 0) return chosen;
  // The smallest first, so that what they leave goes to the others.
  std::vector<std::pair<long long, std::string>> tasks;
  for (const auto& [task, documents] : sizes) tasks.emplace_back(total_of(documents), task);
  std::sort(tasks.begin(), tasks.end());
  long long left = most;
  auto waiting = static_cast<long long>(tasks.size());
  for (const auto& [total, task] : tasks) {
    const long long budget = left / waiting--;
    chosen[task] = spread(sizes.at(task), budget);
    for (const std::int64_t id : chosen[task]) left -= sizes.at(task).at(id);
    left = std::max(left, 0LL);
  }
  return chosen;
}

class Collector {
 public:
  Collector(std::span<const RunData> runs, ChosenDocuments chosen)
      : runs_(runs), chosen_(std::move(chosen)) {
    for (const auto& [task, ids] : chosen_) {
      for (const std::int64_t id : ids) {
        places_[{task, id}] = result_.documents.size();
        result_.documents.push_back({task, id, {}, {}, {}});
      }
    }
  }

  void add(const Store& store, RunId id, std::size_t run) {
    const Plan& plan = runs_[run].run.plan;
    for (Document& document : store.documents(id, true)) {
      BrowserDocument* place = find(plan.task, document.doc_id);
      if (place == nullptr || !place->prompt.empty()) continue;
      place->subject = std::move(document.subject);
      place->prompt = std::move(document.prompt);
      place->target = std::move(document.target);
    }
    if (plan.kind == "generation") {
      add_generations(store, id, run);
    } else {
      add_choices(store, id, run);
    }
  }

  SampleSet finish() {
    const auto key = [this](const BrowserSample& sample) {
      const RunRecord& run = runs_[sample.run].run;
      return std::tuple(sample.document, run.checkpoint.train_tokens.value_or(1e30),
                        std::string_view(run.checkpoint.content_hash), sample.temperature,
                        sample.sample, sample.run);
    };
    std::sort(result_.samples.begin(), result_.samples.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return std::move(result_);
  }

 private:
  BrowserDocument* find(const std::string& task, std::int64_t id) {
    const auto found = places_.find({task, id});
    return found == places_.end() ? nullptr : &result_.documents[found->second];
  }

  void add_generations(const Store& store, RunId id, std::size_t run) {
    const std::string& task = runs_[run].run.plan.task;
    store.for_each_generation(id, [&](const Generation& generation) {
      const auto place = places_.find({task, generation.doc_id});
      if (place == places_.end()) return;
      result_.samples.push_back({place->second, run, generation.temperature, generation.sample,
                                 generation.verdict, generation.trace_length,
                                 generation.reasoning_length, generation.stop_reason,
                                 generation.rule, generation.extracted, generation.text});
    });
  }

  void add_choices(const Store& store, RunId id, std::size_t run) {
    const RunData& data = runs_[run];
    std::map<std::int64_t, std::string> lines;
    for (const Choice& choice : store.choices(id)) {
      lines[choice.doc_id] += fmt::format("{:9.3f} {} {}\n", choice.log_likelihood,
                                          choice.is_greedy ? "*" : " ", choice.continuation);
    }
    for (std::size_t d = 0; d < data.doc_ids.size(); ++d) {
      const auto place = places_.find({data.run.plan.task, data.doc_ids[d]});
      if (place == places_.end()) continue;
      BrowserSample& sample = result_.samples.emplace_back();
      sample.document = place->second;
      sample.run = run;
      sample.verdict = data.primary().front()[d] >= 0.5 ? Verdict::kRight : Verdict::kWrong;
      sample.rule =
          fmt::format("{} {:.3g}", data.run.plan.primary_metric, data.primary().front()[d]);
      sample.text = std::move(lines[data.doc_ids[d]]);
    }
  }

  std::span<const RunData> runs_;
  ChosenDocuments chosen_;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> places_;
  SampleSet result_;
};

}  // namespace

SampleSet collect_samples(std::span<const Store> stores, std::span<const RunData> runs, int most) {
  const DocumentSizes sizes = document_sizes(runs);
  Collector collector(runs, choose_documents(sizes, most));
  for (const Store& store : stores) {
    for (const RunRecord& record : store.runs()) {
      const auto run = std::find_if(runs.begin(), runs.end(), [&](const RunData& data) {
        return data.run.checkpoint.content_hash == record.checkpoint.content_hash &&
               data.run.plan == record.plan;
      });
      if (run != runs.end()) {
        collector.add(store, record.id, static_cast<std::size_t>(run - runs.begin()));
      }
    }
  }
  SampleSet set = collector.finish();
  for (const auto& [task, documents] : sizes) set.total += total_of(documents);
  return set;
}

}  // namespace fbt::results
