#pragma once

// Judging beside the model: completions wait in a bounded queue, threads of the
// stage judge them (code goes on to the sandbox) and pass them to the collector.

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <oneapi/tbb/concurrent_queue.h>

#include "harness/backend/backend.h"
#include "harness/run/collector.h"

namespace fbt::run {

class JudgeStage {
 public:
  // All outlive the stage. `pool` may be null (no code).
  JudgeStage(const std::vector<Cell>& cells, sandbox::Pool* pool, Collector& collector,
             int threads);
  // Drops what is queued.
  ~JudgeStage();
  JudgeStage(const JudgeStage&) = delete;
  JudgeStage& operator=(const JudgeStage&) = delete;

  // Waits only where judging is thousands of completions behind.
  void push(const SampleId& id, Completion&& completion);
  // A stored sample of an unfinished document: only its text is judged again.
  void push_stored(const SampleId& id, std::string text);

  // Judges everything and stops. Throws what a judgement or the recorder threw.
  void finish();

  // Whether something threw: no use in going on. Any thread.
  bool failed() const { return failed_; }
  // Samples that the machine failed to judge; they are not recorded.
  int faults() const { return faults_; }

 private:
  struct Item {
    bool stop = false;
    bool stored = false;
    SampleId id;
    Completion completion;
  };

  void work();
  void judge(Item&& item);
  void fail();
  void stop();

  const std::vector<Cell>& cells_;
  sandbox::Pool* pool_;
  const Judge judge_;
  Collector& collector_;
  oneapi::tbb::concurrent_bounded_queue<Item> queue_;
  std::atomic<bool> failed_ = false;
  std::atomic<bool> drop_ = false;
  std::atomic<int> faults_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;  // guarded by mutex_
  std::vector<std::thread> threads_;
};

// Rows of a judged completion.
results::Document document_row(const tasks::Document& document, const Completion& completion);
results::Generation generation_row(const SampleId& id, const Cell& cell, Completion&& completion,
                                   const Judgement& judgement);

// Generated tokens before the answer span; all of the trace where there is no
// answer or the place of tokens is not known.
int reasoning_length(const Completion& completion, const Judgement& judgement);

}  // namespace fbt::run
