#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>

#include "tasks/registry.h"

namespace {

using fbt::tasks::DataSource;
using fbt::tasks::Registry;
using fbt::tasks::Selection;

// The folder of the public data sets; without it these benchmarks report an error.
std::string data_folder() {
  const char* shared = std::getenv("FBT_SHARED");
  return std::string(shared ? shared : "../shared") + "/data";
}

const std::vector<std::string>& all_tasks() {
  static const std::vector<std::string> kAll = {"lm-eval-10", "free-generation"};
  return kAll;
}

bool has_data(benchmark::State& state) {
  if (DataSource(data_folder()).has("gsm8k/test.jsonl")) return true;
  state.SkipWithError("no data sets; set FBT_SHARED");
  return false;
}

void load_all_tasks(benchmark::State& state) {
  if (!has_data(state)) return;
  for (auto _ : state) {
    Registry registry;
    benchmark::DoNotOptimize(registry.resolve(all_tasks(), DataSource(data_folder())));
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK(load_all_tasks)->Unit(benchmark::kMillisecond);

void hash_all_prompts(benchmark::State& state) {
  if (!has_data(state)) return;
  Registry registry;
  const Selection selection = registry.resolve(all_tasks(), DataSource(data_folder()));
  for (auto _ : state) {
    for (const auto& task : selection.tasks) benchmark::DoNotOptimize(task->prompts({})->hash());
  }
}
BENCHMARK(hash_all_prompts)->Unit(benchmark::kMillisecond);

}  // namespace
