#include "harness/run/thread_split.h"

#include <algorithm>

namespace fbt::run {
namespace {

constexpr int kCoresForOneProgram = 8;
constexpr int kCoresWorthSplitting = 4;

}  // namespace

ThreadSplit split_threads(int cores, bool model_on_cpu, bool runs_code, int model_threads) {
  cores = std::max(1, cores);
  ThreadSplit split;
  split.sandbox = model_on_cpu ? std::max(1, cores / kCoresForOneProgram) : cores;
  const bool share = model_on_cpu && runs_code && cores >= kCoresWorthSplitting;
  split.model = model_threads > 0 ? model_threads : share ? cores - split.sandbox : cores;
  return split;
}

}  // namespace fbt::run
