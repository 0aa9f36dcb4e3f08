#include "harness/run/judged_sample.h"

#include <algorithm>

namespace fbt::run {

results::Document document_row(const tasks::Document& document, const Completion& completion) {
  results::Document row;
  row.doc_id = document.id;
  row.prompt = document.generation ? document.generation->context : "";
  row.target = target_text(document.target);
  row.prompt_tokens = completion.prompt_tokens;
  row.cut_tokens = completion.cut_tokens;
  return row;
}

results::Generation generation_row(const SampleId& id, const Cell& cell, Completion&& completion,
                                   const Judgement& judgement) {
  results::Generation row;
  row.doc_id = id.document;
  row.temperature = id.temperature;
  row.sample = id.sample;
  row.trace_length = completion.trace_tokens;
  row.reasoning_length = reasoning_length(completion, judgement);
  row.text = std::move(completion.text);
  row.tokens = std::move(completion.tokens);
  row.stop_reason = stop_reason_name(completion.stop_reason);
  row.random_key =
      sample_key(cell.plan.seed, cell.plan.task, id.document, cell.mode, id.temperature, id.sample);
  row.verdict = judgement.verdict;
  row.rule = judgement.rule;
  row.extracted = judgement.extracted;
  row.score = judgement.score;
  row.log_likelihood = completion.log_likelihood;
  row.seconds = completion.seconds;
  return row;
}

int reasoning_length(const Completion& completion, const Judgement& judgement) {
  if (!judgement.answer_offset || completion.text_ends.empty()) return completion.trace_tokens;
  const auto& ends = completion.text_ends;
  const auto before = std::upper_bound(ends.begin(), ends.end(), *judgement.answer_offset);
  return std::min(static_cast<int>(before - ends.begin()), completion.trace_tokens);
}

}  // namespace fbt::run
