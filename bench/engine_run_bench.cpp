// Whole runs: what sharing prefixes saves, what is spent outside the model's
// forward passes, memory, and cost as documents become many. Needs the data sets
// and a tokenizer in $FBT_SHARED (default ../shared).

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "harness/decode/torch_backend.h"
#include "harness/run/execute.h"
#include "harness/tokenizer/tokenizer.h"
#include "tasks/data_source.h"
#include "tasks/registry.h"

namespace {

using namespace fbt;
namespace fs = std::filesystem;

fs::path shared_folder() {
  const char* shared = std::getenv("FBT_SHARED");
  return shared ? shared : "../shared";
}

fs::path tokenizer_file() {
  return shared_folder() / "golden/tokenizers/cl100k/tokenizer.json";
}

bool has_data(benchmark::State& state) {
  if (fs::exists(shared_folder() / "data/mmlu") && fs::exists(tokenizer_file())) return true;
  state.SkipWithError("no data sets or tokenizer; set FBT_SHARED");
  return false;
}

// A folder that goes with the object.
class ScratchFolder {
 public:
  ScratchFolder() : path_(fs::temp_directory_path() / fmt::format("fbt-bench-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~ScratchFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// configs/fbt-1b.json with other sizes.
fs::path sized_config(const fs::path& folder, int layers, int hidden, int inner) {
  std::string text = read_file(fs::path(FBT_SOURCE_DIR) / "configs/fbt-1b.json");
  const auto set = [&](const std::string& key, int value) {
    const std::size_t at = text.find(':', text.find('"' + key + '"')) + 1;
    text.replace(at, text.find_first_of(",\n", at) - at, fmt::format(" {}", value));
  };
  set("num_hidden_layers", layers);
  set("hidden_size", hidden);
  set("intermediate_size", inner);
  set("num_attention_heads", 8);
  set("num_key_value_heads", 4);
  set("head_dim", 64);
  write_file_atomically(folder / "sized.json", text);
  return folder / "sized.json";
}

TorchBackendOptions backend_options(const fs::path& config) {
  TorchBackendOptions options;
  options.checkpoint = "random:" + config.string();
  options.tokenizer = tokenizer_file().string();
  options.dtype = Dtype::kBfloat16;
  options.cache_gb = 1;
  return options;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

const std::vector<std::string>& ten_subjects() {
  static const std::vector<std::string> kSubjects = {
      "mmlu_abstract_algebra", "mmlu_anatomy",         "mmlu_college_chemistry",
      "mmlu_econometrics",     "mmlu_formal_logic",    "mmlu_machine_learning",
      "mmlu_miscellaneous",    "mmlu_moral_scenarios", "mmlu_us_foreign_policy",
      "mmlu_virology"};
  return kSubjects;
}

std::vector<ScoreRequest> five_shot_requests(int documents) {
  tasks::Registry registry;
  const tasks::Selection selection =
      registry.resolve(ten_subjects(), tasks::DataSource((shared_folder() / "data").string()));
  std::vector<ScoreRequest> requests;
  for (const auto& task : selection.tasks) {
    const auto prompts = task->prompts({.shots = 5, .chat = {}});
    for (int id = 0; id < std::min(documents, prompts->document_count()); ++id) {
      for (const auto& request : prompts->document(id).requests) {
        requests.push_back({request.context, request.continuation, Mode::kStandard, 0});
      }
    }
  }
  return requests;
}

struct Scored {
  double seconds = 0;
  BackendCounters counters;
};

Scored score(Backend& backend, const std::vector<ScoreRequest>& requests) {
  const auto begin = std::chrono::steady_clock::now();
  backend.score(requests, [](std::size_t, ScoreResult&&) { return true; });
  return {seconds_since(begin), backend.counters()};
}

// Five-shot MMLU, ten subjects of 20 documents: `computed_share` of the tokens
// asked for; `time_over_share`: the share of the time that computing all of them
// would take (measured on a sample that shares nothing), over that.
void sharing_on_mmlu(benchmark::State& state) {
  if (!has_data(state)) return;
  const ScratchFolder folder;
  const TorchBackendOptions options = backend_options(sized_config(folder.path(), 12, 768, 3072));
  const std::vector<ScoreRequest> requests = five_shot_requests(20);
  std::vector<ScoreRequest> unshared;
  for (std::size_t i = 0; i < requests.size(); i += 16) {
    unshared.push_back(requests[i]);
    unshared.back().context.insert(0, fmt::format("{} ", i));
  }
  for (auto _ : state) {
    const auto backend = make_torch_backend(options);
    score(*backend, {requests.begin(), requests.begin() + 4});  // prepares products
    const BackendCounters before = backend->counters();
    const Scored whole = score(*backend, requests);
    const auto other = make_torch_backend(options);
    const Scored sample = score(*other, unshared);
    const double asked =
        static_cast<double>(whole.counters.prompt_tokens_asked - before.prompt_tokens_asked);
    const double computed =
        static_cast<double>(whole.counters.prompt_tokens_computed - before.prompt_tokens_computed);
    const double unshared_seconds =
        sample.seconds / static_cast<double>(sample.counters.prompt_tokens_computed) * asked;
    state.counters["computed_share"] = computed / asked;
    state.counters["time_over_share"] = whole.seconds / unshared_seconds / (computed / asked);
  }
}
BENCHMARK(sharing_on_mmlu)
    ->Name("engine/sharing_mmlu")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

// 10 samples x 3 temperatures x 3 modes on 20 HumanEval prompts: how often each
// prompt token is computed (2: once plain, once fused).
void sharing_on_grid(benchmark::State& state) {
  if (!has_data(state)) return;
  tasks::Registry registry;
  const tasks::Selection selection =
      registry.resolve({"humaneval"}, tasks::DataSource((shared_folder() / "data").string()));
  const auto prompts = selection.tasks.front()->prompts({});
  TorchBackendOptions options;
  options.checkpoint = std::string(FBT_SOURCE_DIR) + "/demo";
  for (auto _ : state) {
    const auto backend = make_torch_backend(options);
    std::vector<GenerateRequest> requests;
    std::size_t prompt_tokens = 0;
    for (int id = 0; id < 20; ++id) {
      GenerateRequest request;
      request.prompt = prompts->document(id).generation->context;
      request.max_new_tokens = 8;
      prompt_tokens += backend->tokenize(request.prompt).size();
      for (const Mode mode : {Mode::kStandard, Mode::kSoft, Mode::kFused}) {
        for (const double temperature : {0.3, 0.5, 0.7}) {
          for (int sample = 0; sample < 10; ++sample) {
            request.mode = mode;
            request.temperature = temperature;
            request.random_key = requests.size();
            requests.push_back(request);
          }
        }
      }
    }
    backend->generate(requests, [](std::size_t, Completion&&) { return true; });
    state.counters["computed_per_prompt_token"] =
        static_cast<double>(backend->counters().prompt_tokens_computed) /
        static_cast<double>(prompt_tokens);
  }
}
BENCHMARK(sharing_on_grid)
    ->Name("engine/sharing_grid")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

run::Outcome whole_run(const run::RunOptions& options, const TorchBackendOptions& backend) {
  run::Subject subject;
  subject.checkpoint.content_hash = "bench";
  subject.checkpoint.name = "bench";
  subject.model.has_feedback = true;
  subject.make_backend = [&](int) { return make_torch_backend(backend); };
  return run::execute(options, subject);
}

double stage_seconds(const run::RunProfile& profile, std::string_view stage) {
  for (const auto& [name, seconds] : profile) {
    if (name == stage) return seconds;
  }
  return 0;
}

// Everything but prefill, decoding steps and the output head.
double outside_share(const run::Outcome& outcome) {
  double forward = 0;
  for (const char* stage : {"prefill", "decode", "head"}) {
    forward += stage_seconds(outcome.profile, stage);
  }
  return 1 - forward / outcome.seconds;
}

void report(benchmark::State& state, const run::Outcome& outcome) {
  state.counters["outside_share"] = outside_share(outcome);
  state.counters["tail_share"] = stage_seconds(outcome.profile, "tail") / outcome.seconds;
  state.counters["seconds"] = outcome.seconds;
}

void run_demo(benchmark::State& state) {
  const ScratchFolder folder;
  TorchBackendOptions backend;
  backend.checkpoint = std::string(FBT_SOURCE_DIR) + "/demo";
  run::RunOptions options;
  options.data = "samples";
  options.tasks = {"gsm8k", "mbpp"};
  options.limit = 8;
  options.database = folder.path() / "demo.sqlite";
  options.unsafe_code = true;
  for (auto _ : state) {
    options.fresh = true;
    report(state, whole_run(options, backend));
  }
}
BENCHMARK(run_demo)->Name("engine/run_demo")->Iterations(1)->Unit(benchmark::kMillisecond);

// Bytes from /proc/self/status.
double status_bytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kibibytes = 0;
    if (word == key + ":" && file >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

// fbt-1b on choices and completions in all modes, with a cache of half a
// gigabyte; `beyond_MB`: peak memory beyond weights and cache budget.
void run_fbt_1b(benchmark::State& state) {
  if (!has_data(state)) return;
  const ScratchFolder folder;
  TorchBackendOptions backend = backend_options(fs::path(FBT_SOURCE_DIR) / "configs/fbt-1b.json");
  backend.cache_gb = 0.5;
  run::RunOptions options;
  options.data = (shared_folder() / "data").string();
  options.tasks = {"mmlu_anatomy", "mmlu_virology", "gsm8k"};
  options.shots = 2;
  options.limit = 8;
  options.max_new_tokens = 48;
  options.dtype = "bfloat16";
  options.database = folder.path() / "large.sqlite";
  constexpr double kWeightBytes = 2.0 * 1.0617e9;
  for (auto _ : state) {
    std::ofstream("/proc/self/clear_refs") << "5";  // forgets the peak so far
    const run::Outcome outcome = whole_run(options, backend);
    report(state, outcome);
    state.counters["beyond_MB"] = (status_bytes("VmHWM") - kWeightBytes -
                                   static_cast<double>(outcome.counters.cache_bytes_budget)) /
                                  1e6;
  }
}
BENCHMARK(run_fbt_1b)->Name("engine/run_fbt_1b")->Iterations(1)->Unit(benchmark::kMillisecond);

// MMLU on a small model: seconds per computed token, from some 200 documents
// (argument: documents a subject) to all 14,042. Two runs' `seconds` over their
// `computed_tokens` give a line: its slope is the cost per token, and where it
// begins what a run costs however small it is.
void documents(benchmark::State& state) {
  if (!has_data(state)) return;
  const ScratchFolder folder;
  TorchBackendOptions backend = backend_options(sized_config(folder.path(), 4, 512, 1536));
  run::RunOptions options;
  options.data = (shared_folder() / "data").string();
  options.tasks = {"mmlu"};
  options.modes = {Mode::kStandard};
  options.shots = 0;
  options.limit = static_cast<int>(state.range(0));
  options.database = folder.path() / "documents.sqlite";
  options.fresh = true;
  for (auto _ : state) {
    const run::Outcome outcome = whole_run(options, backend);
    report(state, outcome);
    const auto computed = static_cast<double>(outcome.counters.prompt_tokens_computed);
    state.counters["documents"] = static_cast<double>(outcome.answers);
    state.counters["computed_tokens"] = computed;
    state.counters["microseconds_per_token"] = 1e6 * outcome.seconds / computed;
  }
}
BENCHMARK(documents)
    ->Name("engine/documents")
    ->Arg(4)
    ->Arg(36)
    ->Arg(100000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
