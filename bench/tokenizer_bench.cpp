// Speed of the tokenizer, on vocabularies and English text from outside the
// project (FBT_SHARED, or ../shared); without them these are left out.

#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_lines.h"
#include "harness/tokenizer/bpe_trainer.h"
#include "harness/tokenizer/tokenizer.h"

namespace {

std::filesystem::path shared_dir() {
  const char* shared = std::getenv("FBT_SHARED");
  return shared != nullptr ? std::filesystem::path(shared)
                           : std::filesystem::path(FBT_SOURCE_DIR).parent_path() / "shared";
}

std::filesystem::path tokenizer_path(const char* name) {
  return shared_dir() / "golden/tokenizers" / name / "tokenizer.json";
}

// The passages of BoolQ: encyclopedia articles.
std::string english_text() {
  std::string text;
  fbt::for_each_json_line(shared_dir() / "data/boolq/val.jsonl",
                          [&](nlohmann::json&& row, std::size_t) {
                            text += row["passage"].get<std::string>() + "\n\n";
                          });
  return text;
}

bool skip_without_shared(benchmark::State& state) {
  if (std::filesystem::exists(tokenizer_path("cl100k"))) return false;
  state.SkipWithError("needs FBT_SHARED");
  return true;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void load_tokenizer(benchmark::State& state, const char* name) {
  if (skip_without_shared(state)) return;
  for (auto _ : state) benchmark::DoNotOptimize(fbt::Tokenizer::load(tokenizer_path(name)));
}

void encode(benchmark::State& state, const char* name, const std::string& text) {
  const auto tokenizer = fbt::Tokenizer::load(tokenizer_path(name));
  for (auto _ : state) benchmark::DoNotOptimize(tokenizer.encode(text));
  count_bytes(state, text.size());
}

void encode_english(benchmark::State& state, const char* name) {
  if (!skip_without_shared(state)) encode(state, name, english_text());
}

void encode_run(benchmark::State& state, const char* name, char character) {
  if (skip_without_shared(state)) return;
  encode(state, name, std::string(static_cast<std::size_t>(state.range(0)), character));
}

void decode_english(benchmark::State& state, const char* name) {
  if (skip_without_shared(state)) return;
  const auto tokenizer = fbt::Tokenizer::load(tokenizer_path(name));
  const std::string text = english_text();
  const auto ids = tokenizer.encode(text);
  for (auto _ : state) benchmark::DoNotOptimize(tokenizer.decode(ids));
  count_bytes(state, text.size());
}

void train_vocabulary(benchmark::State& state) {
  if (skip_without_shared(state)) return;
  const std::string text = english_text();
  for (auto _ : state) {
    fbt::tokenizer::BpeTrainer trainer({.vocab_size = static_cast<int>(state.range(0))});
    trainer.add_text(text);
    benchmark::DoNotOptimize(trainer.train());
  }
  count_bytes(state, text.size());
}

constexpr auto kMs = benchmark::kMillisecond;
BENCHMARK_CAPTURE(load_tokenizer, gpt2, "gpt2")->Unit(kMs);
BENCHMARK_CAPTURE(load_tokenizer, cl100k, "cl100k")->Unit(kMs);
BENCHMARK_CAPTURE(load_tokenizer, llama3, "llama3")->Unit(kMs);
BENCHMARK_CAPTURE(encode_english, gpt2, "gpt2")->Unit(kMs);
BENCHMARK_CAPTURE(encode_english, cl100k, "cl100k")->Unit(kMs);
BENCHMARK_CAPTURE(encode_english, llama3, "llama3")->Unit(kMs);
BENCHMARK_CAPTURE(encode_english, qwen, "qwen")->Unit(kMs);
BENCHMARK_CAPTURE(encode_english, llama2, "llama2")->Unit(kMs);
BENCHMARK_CAPTURE(encode_run, cl100k_letters, "cl100k", 'a')->Range(1 << 18, 1 << 20)->Unit(kMs);
BENCHMARK_CAPTURE(encode_run, cl100k_spaces, "cl100k", ' ')->Range(1 << 18, 1 << 20)->Unit(kMs);
BENCHMARK_CAPTURE(encode_run, llama2_letters, "llama2", 'a')->Range(1 << 18, 1 << 20)->Unit(kMs);
BENCHMARK_CAPTURE(decode_english, cl100k, "cl100k")->Unit(kMs);
BENCHMARK(train_vocabulary)->Arg(4096)->Unit(kMs);

}  // namespace
