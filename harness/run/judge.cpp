#include "harness/run/judge.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "base/error.h"
#include "harness/run/code_problems.h"
#include "scorers/gsm8k.h"
#include "scorers/math/grade.h"
#include "scorers/pass_at_k.h"

namespace fbt::run {
namespace {

constexpr std::string_view kFlexible = "exact_match_flexible";
constexpr std::string_view kPassPrefix = "pass@";

Judgement from_score(scorers::Score&& score) {
  Judgement judgement;
  judgement.score = score.correct ? 1 : 0;
  judgement.verdict = score.correct ? results::Verdict::kRight : results::Verdict::kWrong;
  if (score.rule == "undecided") judgement.verdict = results::Verdict::kUndecided;
  judgement.rule = std::move(score.rule);
  judgement.extracted = std::move(score.extracted);
  judgement.answer_offset = score.answer_offset;
  return judgement;
}

Judgement judge_gsm8k(const std::string& gold, const std::string& text, bool chat) {
  if (chat) return from_score(score_gsm8k(gold, text, scorers::Gsm8kFilter::kChat));
  Judgement judgement = from_score(score_gsm8k(gold, text, scorers::Gsm8kFilter::kStrict));
  const scorers::Score flexible = score_gsm8k(gold, text, scorers::Gsm8kFilter::kFlexible);
  judgement.other.emplace(kFlexible, flexible.correct ? 1 : 0);
  return judgement;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

bool equal_texts(std::string_view a, std::string_view b, bool ignore_case) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) {
    return x == y || (ignore_case && lower(x) == lower(y));
  });
}

Judgement judge_pattern(const tasks::ScorerSpec& scorer, const std::string& gold,
                        const std::string& text) {
  const RE2 pattern(scorer.pattern);
  Judgement judgement;
  judgement.verdict = results::Verdict::kWrong;
  judgement.rule = "no_match";
  const int groups = std::min(pattern.NumberOfCapturingGroups(), 1);
  re2::StringPiece match[2];
  for (std::size_t from = 0; from <= text.size();) {
    if (!pattern.Match(text, from, text.size(), RE2::UNANCHORED, match, groups + 1)) break;
    const re2::StringPiece& answer = match[groups];
    if (answer.data() != nullptr) {
      const std::string_view found = trimmed({answer.data(), answer.size()});
      judgement.extracted = found;
      judgement.answer_offset = static_cast<std::size_t>(match[0].data() - text.data());
      judgement.rule = "pattern";
      const bool correct = equal_texts(found, trimmed(gold), scorer.ignore_case);
      judgement.score = correct ? 1 : 0;
      judgement.verdict = correct ? results::Verdict::kRight : results::Verdict::kWrong;
    }
    const auto end = static_cast<std::size_t>(match[0].data() - text.data()) + match[0].size();
    from = match[0].empty() ? end + 1 : end;
  }
  return judgement;
}

Judgement from_verdict(sandbox::Verdict&& verdict, std::string code) {
  Judgement judgement;
  judgement.score = verdict.passed() ? 1 : 0;
  judgement.verdict = verdict.passed() ? results::Verdict::kRight : results::Verdict::kWrong;
  judgement.rule = verdict_kind_name(verdict.kind);
  if (!verdict.detail.empty()) judgement.rule += ": " + verdict.detail;
  judgement.extracted = std::move(code);
  judgement.sandbox_seconds = verdict.wall_seconds;
  judgement.fault = verdict.kind == sandbox::VerdictKind::kHarnessFault;
  return judgement;
}

}  // namespace

bool runs_code(const tasks::ScorerSpec& scorer) {
  return scorer.name == "humaneval" || scorer.name == "mbpp";
}

void Judge::judge(const tasks::ScorerSpec& scorer, const tasks::Document& document, bool chat,
                  const std::string& text, Done done) const {
  const tasks::Reference& reference = document.reference;
  if (scorer.name == "gsm8k") return done(judge_gsm8k(reference.gold, text, chat));
  if (scorer.name == "math") return done(from_score(scorers::math::grade(reference.gold, text)));
  if (scorer.name == "pattern") return done(judge_pattern(scorer, reference.gold, text));

  sandbox::Program program;
  std::string code;
  if (scorer.name == "humaneval") {
    const HumanEvalProblem problem{reference.prompt, reference.test, reference.entry_point};
    program.source = judging_program(problem, text, chat);
    code = judged_code(problem, text, chat);
  } else if (scorer.name == "mbpp") {
    const MbppProblem problem{"", reference.test_setup_code, reference.test_list};
    program.source = judging_program(problem, text, chat);
    code = judged_code(problem, text, chat);
  } else {
    throw InputError(fmt::format("unknown scorer '{}'", scorer.name));
  }
  pool_->submit(std::move(program),
                [done = std::move(done), code = std::move(code)](sandbox::Verdict&& verdict) {
                  done(from_verdict(std::move(verdict), code));
                });
}

std::vector<results::Metric> metrics_of(const tasks::Task& task, const std::vector<int>& k,
                                        bool chat) {
  std::vector<results::Metric> metrics;
  if (task.kind() == tasks::TaskKind::kMultipleChoice) {
    for (const std::string& name : task.metrics()) metrics.push_back({name, "lm-eval " + name});
    return metrics;
  }
  const tasks::ScorerSpec& scorer = task.scorer();
  if (!runs_code(scorer)) {
    std::string definition = scorer.name;
    if (scorer.name == "gsm8k") definition += chat ? " chat" : " strict-match";
    if (scorer.name == "pattern") definition += " " + scorer.pattern;
    metrics.push_back({"exact_match", definition + ", mean over samples"});
    if (scorer.name == "gsm8k" && !chat) {
      metrics.push_back({std::string(kFlexible), "gsm8k flexible-extract, mean over samples"});
    }
  }
  for (const int each : k) {
    if (each == 1 && !runs_code(scorer)) continue;  // exact_match says the same
    metrics.push_back({fmt::format("{}{}", kPassPrefix, each),
                       fmt::format("{}, unbiased Pass@{}", scorer.name, each)});
  }
  return metrics;
}

std::string primary_metric_of(const tasks::Task& task,
                              const std::vector<results::Metric>& metrics) {
  for (const results::Metric& metric : metrics) {
    if (metric.name == task.primary_metric()) return metric.name;
  }
  return metrics.back().name;
}

std::vector<results::DocumentScore> score_document(int document, double temperature,
                                                   std::span<const Judgement> samples,
                                                   const std::vector<results::Metric>& metrics) {
  const auto mean = [&](auto&& value) {
    double sum = 0;
    for (const Judgement& sample : samples) sum += value(sample);
    return sum / static_cast<double>(samples.size());
  };
  scorers::SampleCounts counts{samples.size(), 0};
  for (const Judgement& sample : samples) counts.correct += sample.score == 1 ? 1 : 0;

  std::vector<results::DocumentScore> scores;
  for (const results::Metric& metric : metrics) {
    double value = 0;
    if (metric.name == "exact_match") {
      value = mean([](const Judgement& sample) { return sample.score; });
    } else if (metric.name.starts_with(kPassPrefix)) {
      std::size_t k = 0;
      std::from_chars(metric.name.data() + kPassPrefix.size(),
                      metric.name.data() + metric.name.size(), k);
      value = scorers::pass_at_k(counts, k);
    } else {
      value = mean([&](const Judgement& sample) {
        const auto found = sample.other.find(metric.name);
        return found == sample.other.end() ? 0.0 : found->second;
      });
    }
    scores.push_back({document, temperature, metric.name, value});
  }
  return scores;
}

std::string target_text(const tasks::Target& target) {
  if (const int* index = std::get_if<int>(&target)) return fmt::format("{}", *index);
  if (const auto* labels = std::get_if<std::vector<int>>(&target)) {
    return fmt::format("{}", fmt::join(*labels, " "));
  }
  return std::get<std::string>(target);
}

}  // namespace fbt::run
