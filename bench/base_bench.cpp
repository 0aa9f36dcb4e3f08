#include <benchmark/benchmark.h>

#include "base/sha256.h"

namespace {

void sha256(benchmark::State& state) {
  const std::string text(1 << 20, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(fbt::sha256_hex(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(sha256);

}  // namespace
