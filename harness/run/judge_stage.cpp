#include "harness/run/judge_stage.h"

#include <chrono>
#include <memory>

namespace fbt::run {
namespace {

constexpr std::ptrdiff_t kMostQueued = 8192;

}  // namespace

JudgeStage::JudgeStage(const std::vector<Cell>& cells, sandbox::Pool* pool, int threads,
                       Deliver deliver)
    : cells_(cells), pool_(pool), judge_(pool), deliver_(std::move(deliver)) {
  queue_.set_capacity(kMostQueued);
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

JudgeStage::~JudgeStage() {
  drop_ = true;
  stop();
}

void JudgeStage::push(const SampleId& id, Completion&& completion) {
  Item item;
  item.sample.id = id;
  item.sample.completion = std::move(completion);
  queue_.push(std::move(item));
}

void JudgeStage::push_stored(const SampleId& id, std::string text) {
  Item item;
  item.sample.id = id;
  item.sample.stored = true;
  item.sample.completion.text = std::move(text);
  queue_.push(std::move(item));
}

void JudgeStage::finish() {
  stop();
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void JudgeStage::stop() {
  for (std::size_t i = 0; i < threads_.size(); ++i) queue_.push({.stop = true, .sample = {}});
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
      judge(std::move(item.sample));
    } catch (...) {
      fail();
    }
  }
}

void JudgeStage::judge(JudgedSample&& sample) {
  const auto begin = std::chrono::steady_clock::now();
  const Cell& cell = cells_[sample.id.cell];
  sample.document = cell.prompts->document(sample.id.document);
  // The judgement may come on another thread, later: what it needs travels along.
  const auto kept = std::make_shared<JudgedSample>(std::move(sample));
  judge_.judge(cell.task->scorer(), kept->document, cell.chat, kept->completion.text,
               [this, kept](Judgement&& judgement) {
                 sandbox_seconds_ += judgement.sandbox_seconds;
                 try {
                   if (judgement.fault) {
                     ++faults_;
                   } else {
                     kept->judgement = std::move(judgement);
                     deliver_(std::move(*kept));
                   }
                 } catch (...) {
                   fail();
                 }
               });
  // Code waits here for room in the sandbox: that is not the scorer's time.
  if (runs_code(cell.task->scorer())) return;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  scoring_seconds_ += took.count();
}

}  // namespace fbt::run
