#pragma once

// A pool of jailed Python interpreters that run programs nobody has read.
// How the jail is built and what a verdict can prove: docs/sandbox.md.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "sandbox/program.h"

namespace fbt::sandbox {

// How well a machine can contain a program, best first.
enum class Tier {
  kNamespaces = 1,  // namespaces, private file system, seccomp, limits
  kLandlock = 2,    // Landlock, seccomp, limits; no processes of its own, nothing writable
  kNone = 3,        // limits, and seccomp where there is one: only with Options::unsafe
};

// "namespaces", "landlock", "none".
std::string_view tier_name(Tier tier);

struct Options {
  int workers = 0;                     // interpreters side by side; 0: one a core
  std::size_t queue = 0;               // programs that may wait; 0: four a worker
  Limits limits;                       // for programs that bring none; a program's own memory and
                                       // process limits can only be lower
  bool unsafe = false;                 // run code even where only Tier::kNone is to be had
  Tier strongest = Tier::kNamespaces;  // use no tier stronger than this (tests, doctor)
  // The interpreter, CPython 3.8 or newer. Empty: $FBT_PYTHON, or /usr/bin/python3.
  std::filesystem::path python;
};

// What the jail of a running pool is made of, to be stored with a run.
struct Description {
  Tier tier = Tier::kNone;
  std::string weaker_because;  // what kept the machine from a stronger tier; empty at the best
  bool memory_cgroup = false;
  bool pids_cgroup = false;
  std::string python;          // path of the interpreter
  std::string python_version;  // "3.11.2"
};

class Pool {
 public:
  // Called with each verdict on one of the pool's threads, one call at a time
  // per worker, so from several threads at once. Must not throw, and must not
  // call submit() (the queue may be full of programs that wait for this thread).
  using Done = std::function<void(Verdict&&)>;

  // Starts the first worker and waits for it, so that a machine that cannot run
  // code says so here. Throws EnvironmentError: no interpreter, or a tier of
  // kNone without Options::unsafe. The workers are processes of their own,
  // started without copying the caller's memory however large it is.
  explicit Pool(const Options& options = {});

  // Stops running programs; programs that had not finished get kHarnessFault
  // ("the pool was closed"). No process, file or cgroup is left. The same holds
  // when the calling process is killed, whatever the signal.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Any thread. Blocks while the queue is full. A worker that breaks is
  // replaced and its program tried once more; after that, and when no worker
  // can be started, the verdict is kHarnessFault with the reason.
  void submit(Program program, Done done);
  std::future<Verdict> submit(Program program);

  // Any thread. Returns when nothing is queued or running.
  void wait();

  Tier tier() const { return description().tier; }
  // What the first worker found; fixed for the pool's life.
  const Description& description() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fbt::sandbox
