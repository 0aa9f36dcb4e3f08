// Programs a second: the pool at full isolation, and beside it what the same
// machine does without any (sandbox_baselines.py). HumanEval's canonical
// solutions with their tests, several times over, two side by side.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_lines.h"
#include "sandbox/pool.h"
#include "scorers/code.h"

namespace {

namespace fs = std::filesystem;

constexpr int kWorkers = 2;
// One solution takes as long as a hundred others: over one round only, whoever does
// not have it waits for a good part of the time.
constexpr int kRounds = 4;

fs::path data_file() {
  const char* shared = std::getenv("FBT_SHARED");
  const fs::path root =
      shared != nullptr ? fs::path(shared) : fs::path(FBT_SOURCE_DIR) / "../shared";
  return root / "data/humaneval/HumanEval.jsonl";
}

// Empty where the data set is not at hand.
const std::vector<std::string>& programs() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    if (!fs::exists(data_file())) return list;
    fbt::for_each_json_line(data_file(), [&](nlohmann::json&& row, std::size_t) {
      list.push_back(fbt::scorers::human_eval_program(
          row["prompt"].get<std::string>(), row["canonical_solution"].get<std::string>(),
          row["test"].get<std::string>(), row["entry_point"].get<std::string>()));
    });
    const std::vector<std::string> round = list;
    for (int i = 1; i < kRounds; ++i) list.insert(list.end(), round.begin(), round.end());
    return list;
  }();
  return all;
}

bool skip(benchmark::State& state) {
  if (!programs().empty()) return false;
  state.SkipWithError((data_file().string() + " is absent; set FBT_SHARED").c_str());
  return true;
}

void count(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * programs().size()));
}

void sandbox_pool(benchmark::State& state) {
  if (skip(state)) return;
  fbt::sandbox::Options options;
  options.workers = kWorkers;
  fbt::sandbox::Pool pool(options);
  std::atomic<std::size_t> failed{0};
  for (auto _ : state) {
    for (const std::string& program : programs()) {
      pool.submit({program, {}, {}}, [&](fbt::sandbox::Verdict&& verdict) {
        if (!verdict.passed()) ++failed;
      });
    }
    pool.wait();
  }
  count(state);
  state.SetLabel(std::string(fbt::sandbox::tier_name(pool.tier())));
  if (failed > 0) state.SkipWithError("a canonical solution failed");
}
BENCHMARK(sandbox_pool)->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(5);

// What a program costs beyond its own work: an empty one, one at a time.
void sandbox_empty_program(benchmark::State& state) {
  fbt::sandbox::Options options;
  options.workers = 1;
  fbt::sandbox::Pool pool(options);
  for (auto _ : state) {
    if (!pool.submit({}).get().passed()) state.SkipWithError("an empty program failed");
  }
}
BENCHMARK(sandbox_empty_program)->UseRealTime()->Unit(benchmark::kMillisecond);

// The baselines time themselves, so that starting their interpreter is not counted.
void baseline(benchmark::State& state, const char* method) {
  if (skip(state)) return;
  const fs::path file = fs::temp_directory_path() / fmt::format("fbt-bench-{}.json", ::getpid());
  fbt::write_file_atomically(file, fbt::dump_json(programs()));
  const std::string command = fmt::format("/usr/bin/python3 {}/bench/sandbox_baselines.py {} {} {}",
                                          FBT_SOURCE_DIR, method, file.string(), kWorkers);
  for (auto _ : state) {
    double seconds = 0;
    int failed = 1;
    const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
    if (std::fscanf(output.get(), "%lf %d", &seconds, &failed) != 2 || failed != 0) {
      state.SkipWithError("the baseline failed");
      break;
    }
    state.SetIterationTime(seconds);
  }
  fs::remove(file);
  count(state);
}
BENCHMARK_CAPTURE(baseline, fork_exec, "fork-exec")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(2);
BENCHMARK_CAPTURE(baseline, manager, "manager")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(2);
BENCHMARK_CAPTURE(baseline, manager_spawn, "spawn")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
