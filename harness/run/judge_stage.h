#pragma once

// Judging beside the model: completions wait in a bounded queue, threads of the
// stage judge them (code goes on to the sandbox) and deliver them.

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <oneapi/tbb/concurrent_queue.h>

#include "harness/run/judged_sample.h"

namespace fbt::run {

class JudgeStage {
 public:
  // Called with each judged sample, on several threads at once. What it throws
  // ends the work.
  using Deliver = std::function<void(JudgedSample&&)>;

  // `cells` and `pool` outlive the stage. `pool` may be null (no code).
  JudgeStage(const std::vector<Cell>& cells, sandbox::Pool* pool, int threads, Deliver deliver);
  // Drops what is queued.
  ~JudgeStage();
  JudgeStage(const JudgeStage&) = delete;
  JudgeStage& operator=(const JudgeStage&) = delete;

  // Waits only where judging is thousands of completions behind.
  void push(const SampleId& id, Completion&& completion);
  // A sample that the store holds: only its text is judged.
  void push_stored(const SampleId& id, std::string text);

  // Judges everything and stops. Throws what a judgement or a delivery threw.
  void finish();

  // Whether something threw: no use in going on. Any thread.
  bool failed() const { return failed_; }
  // Samples that the machine failed to judge; they are not delivered.
  int faults() const { return faults_; }

  // Seconds of judging, by all threads together, without what programs took; and
  // those of the programs. Any thread.
  double scoring_seconds() const { return scoring_seconds_; }
  double sandbox_seconds() const { return sandbox_seconds_; }

 private:
  struct Item {
    bool stop = false;
    JudgedSample sample;  // without its document and judgement
  };

  void work();
  void judge(JudgedSample&& sample);
  void fail();
  void stop();

  const std::vector<Cell>& cells_;
  sandbox::Pool* pool_;
  const Judge judge_;
  const Deliver deliver_;
  oneapi::tbb::concurrent_bounded_queue<Item> queue_;
  std::atomic<bool> failed_ = false;
  std::atomic<bool> drop_ = false;
  std::atomic<int> faults_ = 0;
  std::atomic<double> scoring_seconds_ = 0;
  std::atomic<double> sandbox_seconds_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;  // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace fbt::run
