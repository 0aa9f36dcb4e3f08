#include "sandbox/pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "sandbox/worker.h"

namespace fbt::sandbox {
namespace {

constexpr const char* kClosed = "the pool was closed";

// Reading a source text takes several times its size; one beyond this share of
// the memory limit is over the limit without our trying.
constexpr std::size_t kSourceShare = 4;

Verdict fault(std::string detail) {
  Verdict verdict;
  verdict.detail = std::move(detail);
  return verdict;
}

std::string no_jail_message(const wire::Hello& hello) {
  return fmt::format(
      "this machine cannot contain untrusted code ({}); allow user namespaces, run as root, or use "
      "a kernel with Landlock (5.13); --unsafe-code runs it without a jail",
      hello.reason);
}

Options with_defaults(Options options) {
  if (options.workers <= 0) {
    options.workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  if (options.queue == 0) options.queue = 4 * static_cast<std::size_t>(options.workers);
  return options;
}

}  // namespace

std::string_view tier_name(Tier tier) {
  switch (tier) {
    case Tier::kNamespaces:
      return "namespaces";
    case Tier::kLandlock:
      return "landlock";
    case Tier::kNone:
      return "none";
  }
  return "unknown";
}

// One thread a worker, which starts its process (parent-death signals follow
// the thread), feeds it, and replaces it when it breaks.
class Pool::Impl {
 public:
  explicit Impl(const Options& options);
  ~Impl();

  void submit(Program program, Done done);
  void wait();
  const Description& description() const { return description_; }

 private:
  struct Job {
    Program program;
    Done done;
  };

  void serve(std::size_t slot);
  std::optional<Job> next_job();
  Verdict run(std::size_t slot, const Program& program);
  std::unique_ptr<Worker> start_worker();
  void put(std::size_t slot, std::unique_ptr<Worker> worker);
  bool closing();

  const Options options_;
  Description description_;
  std::promise<void> first_started_;

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  std::condition_variable idle_;
  std::deque<Job> queue_;
  std::size_t unfinished_ = 0;  // queued and running
  bool closing_ = false;
  // Written by the slot's own thread under the mutex, read by it without.
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
};

Pool::Impl::Impl(const Options& options) : options_(with_defaults(options)) {
  workers_.resize(static_cast<std::size_t>(options_.workers));
  std::future<void> started = first_started_.get_future();
  threads_.emplace_back([this] { serve(0); });
  try {
    started.get();
  } catch (...) {
    threads_.front().join();
    throw;
  }
  for (std::size_t slot = 1; slot < workers_.size(); ++slot) {
    threads_.emplace_back([this, slot] { serve(slot); });
  }
}

Pool::Impl::~Impl() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (const auto& worker : workers_) {
      if (worker) worker->interrupt();
    }
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::Impl::submit(Program program, Done done) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return queue_.size() < options_.queue; });
  queue_.push_back({std::move(program), std::move(done)});
  ++unfinished_;
  work_.notify_one();
}

void Pool::Impl::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return unfinished_ == 0; });
}

bool Pool::Impl::closing() {
  const std::lock_guard lock(mutex_);
  return closing_;
}

std::optional<Pool::Impl::Job> Pool::Impl::next_job() {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return closing_ || !queue_.empty(); });
  if (queue_.empty()) return std::nullopt;
  Job job = std::move(queue_.front());
  queue_.pop_front();
  room_.notify_one();
  return job;
}

void Pool::Impl::serve(std::size_t slot) {
  if (slot == 0) {
    try {
      put(slot, start_worker());
    } catch (...) {
      return first_started_.set_exception(std::current_exception());
    }
    first_started_.set_value();
  }
  while (std::optional<Job> job = next_job()) {
    job->done(run(slot, job->program));
    const std::lock_guard lock(mutex_);
    if (--unfinished_ == 0) idle_.notify_all();
  }
  put(slot, nullptr);
}

// Starts a worker that jails as well as the first did. Throws EnvironmentError.
std::unique_ptr<Worker> Pool::Impl::start_worker() {
  auto worker = std::make_unique<Worker>(options_);
  const wire::Hello& hello = worker->hello();
  if (hello.tier == 0) throw EnvironmentError(no_jail_message(hello));
  const auto tier = static_cast<Tier>(hello.tier);
  if (description_.python.empty()) {
    description_ = {tier,
                    hello.reason,
                    hello.memory_cgroup != 0,
                    hello.pids_cgroup != 0,
                    interpreter(options_).string(),
                    hello.python_version};
  } else if (tier != description_.tier) {
    throw EnvironmentError(fmt::format("a new sandbox worker has a jail of tier {}, not {}: {}",
                                       tier_name(tier), tier_name(description_.tier),
                                       hello.reason));
  }
  return worker;
}

void Pool::Impl::put(std::size_t slot, std::unique_ptr<Worker> worker) {
  {
    const std::lock_guard lock(mutex_);
    std::swap(workers_[slot], worker);
    if (closing_ && workers_[slot]) workers_[slot]->interrupt();
  }
  // What was there ends here, outside the lock.
}

Verdict Pool::Impl::run(std::size_t slot, const Program& program) {
  const Limits limits = program.limits.value_or(options_.limits);
  if (program.source.size() > limits.memory_bytes / kSourceShare) {
    Verdict verdict;
    verdict.kind = VerdictKind::kMemory;
    verdict.detail = fmt::format("a source text of {} bytes", program.source.size());
    return verdict;
  }
  Verdict last = fault(kClosed);
  for (int attempt = 0; attempt < 2 && !closing(); ++attempt) {
    try {
      if (!workers_[slot]) put(slot, start_worker());
    } catch (const Error& error) {
      last = fault(error.what());
      continue;
    }
    std::optional<Verdict> verdict = workers_[slot]->run(program, limits);
    if (verdict && verdict->kind != VerdictKind::kHarnessFault) return std::move(*verdict);
    last = verdict ? std::move(*verdict) : fault("the sandbox worker broke");
    put(slot, nullptr);
  }
  return closing() ? fault(kClosed) : last;
}

Pool::Pool(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Pool::~Pool() = default;

void Pool::submit(Program program, Done done) {
  impl_->submit(std::move(program), std::move(done));
}

std::future<Verdict> Pool::submit(Program program) {
  auto promise = std::make_shared<std::promise<Verdict>>();
  std::future<Verdict> verdict = promise->get_future();
  submit(std::move(program),
         [promise](Verdict&& result) { promise->set_value(std::move(result)); });
  return verdict;
}

void Pool::wait() {
  impl_->wait();
}

const Description& Pool::description() const {
  return impl_->description();
}

}  // namespace fbt::sandbox
