#include "harness/run/recorder.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace fbt::run {
namespace {

// How far the database may fall behind before record() waits.
constexpr std::size_t kMostPendingRows = 20000;
// How long results are gathered into one transaction: short enough that a kill
// loses little, long enough that the disk's flush is shared.
constexpr std::chrono::milliseconds kGather{100};

std::size_t rows_of(const results::Batch& batch) {
  return batch.documents.size() + batch.generations.size() + batch.choices.size() +
         batch.scores.size();
}

template <typename Row>
void move_rows(std::vector<Row>& to, std::vector<Row>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Recorder::Recorder(const std::filesystem::path& database)
    : store_(database, results::OpenMode::kWrite), thread_([this] { work(); }) {}

Recorder::~Recorder() {
  if (thread_.joinable()) stop();
}

void Recorder::record(results::RunId run, results::Batch rows) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return pending_rows_ < kMostPendingRows || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  pending_rows_ += rows_of(rows);
  results::Batch& batch = pending_[run];
  move_rows(batch.documents, rows.documents);
  move_rows(batch.generations, rows.generations);
  move_rows(batch.choices, rows.choices);
  move_rows(batch.scores, rows.scores);
  wake_.notify_one();
}

void Recorder::finish() {
  stop();
  if (failure_) std::rethrow_exception(failure_);
}

double Recorder::seconds() const {
  const std::scoped_lock lock(mutex_);
  return seconds_;
}

void Recorder::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Recorder::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !pending_.empty(); });
    if (!stopping_) wake_.wait_for(lock, kGather, [this] { return stopping_; });
    const std::map<results::RunId, results::Batch> batches = std::exchange(pending_, {});
    pending_rows_ = 0;
    room_.notify_all();
    const bool last = stopping_;
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    std::exception_ptr failure;
    try {
      for (const auto& [run, batch] : batches) store_.append(run, batch);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    lock.lock();
    seconds_ += took.count();
    if (failure) failure_ = failure;
    room_.notify_all();
    if (failure_ || (last && pending_.empty())) return;
  }
}

}  // namespace fbt::run
