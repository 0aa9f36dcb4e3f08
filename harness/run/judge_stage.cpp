#include "harness/run/judge_stage.h"

#include <algorithm>
#include <memory>

namespace fbt::run {
namespace {

constexpr std::ptrdiff_t kMostQueued = 8192;

}  // namespace

JudgeStage::JudgeStage(const std::vector<Cell>& cells, sandbox::Pool* pool, Collector& collector,
                       int threads)
    : cells_(cells), pool_(pool), judge_(pool), collector_(collector) {
  queue_.set_capacity(kMostQueued);
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

JudgeStage::~JudgeStage() {
  drop_ = true;
  stop();
}

void JudgeStage::push(const SampleId& id, Completion&& completion) {
  queue_.push({.id = id, .completion = std::move(completion)});
}

void JudgeStage::push_stored(const SampleId& id, std::string text) {
  Item item{.stored = true, .id = id, .completion = {}};
  item.completion.text = std::move(text);
  queue_.push(std::move(item));
}

void JudgeStage::finish() {
  stop();
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void JudgeStage::stop() {
  for (std::size_t i = 0; i < threads_.size(); ++i)
    queue_.push({.stop = true, .id = {}, .completion = {}});
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (pool_ != nullptr) pool_->wait();
}

void JudgeStage::fail() {
  const std::scoped_lock lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  failed_ = true;
}

void JudgeStage::work() {
  while (true) {
    Item item;
    queue_.pop(item);
    if (item.stop) return;
    if (drop_ || failed_) continue;
    try {
      judge(std::move(item));
    } catch (...) {
      fail();
    }
  }
}

void JudgeStage::judge(Item&& item) {
  const Cell& cell = cells_[item.id.cell];
  const tasks::Document document = cell.prompts->document(item.id.document);
  // The judgement may come on another thread, later: what it needs travels along.
  auto kept = std::make_shared<Item>(std::move(item));
  auto row = std::make_shared<results::Document>(document_row(document, kept->completion));
  judge_.judge(cell.task->scorer(), document, cell.chat, kept->completion.text,
               [this, &cell, kept, row](Judgement&& judgement) {
                 try {
                   if (judgement.fault) {
                     ++faults_;
                   } else if (kept->stored) {
                     collector_.restore(kept->id, std::move(judgement));
                   } else {
                     results::Generation generation =
                         generation_row(kept->id, cell, std::move(kept->completion), judgement);
                     collector_.add(kept->id, std::move(*row), std::move(generation),
                                    std::move(judgement));
                   }
                 } catch (...) {
                   fail();
                 }
               });
}

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
