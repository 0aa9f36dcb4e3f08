#pragma once

// Writes results beside the model: a thread of its own with a bounded queue,
// several results to a transaction.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "results/store/store.h"

namespace fbt::run {

class Recorder {
 public:
  explicit Recorder(const std::filesystem::path& database);
  // Without finish(), what is still queued is written, and errors are dropped.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Takes the rows; they are on the disk when finish() returns, most within a
  // fraction of a second. Rows of one call stay in one transaction. Any thread;
  // waits only where the database is far behind. Throws what a write threw.
  void record(results::RunId run, results::Batch rows);

  // Writes everything and stops. Throws what a write threw.
  void finish();

  // Seconds spent in the database.
  double seconds() const;

 private:
  void work();
  void stop();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable room_;
  std::map<results::RunId, results::Batch> pending_;  // guarded by mutex_
  std::size_t pending_rows_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
  double seconds_ = 0;
  results::Store store_;  // the thread's alone
  std::thread thread_;
};

}  // namespace fbt::run
