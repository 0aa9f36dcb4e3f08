// Bad input gives one line on standard error, that names what is wrong, and exit status 2.

#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "results/store/open.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Case {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;  // part of the line
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

// The demo checkpoint with one file changed.
template <typename Change>
void spoil_demo(const std::filesystem::path& checkpoint, const char* file, Change change) {
  std::filesystem::copy(testing::source_dir() / "demo", checkpoint);
  std::string content = read_file(checkpoint / file);
  change(content);
  write_file_atomically(checkpoint / file, content);
}

void write_bad_files(const std::filesystem::path& folder) {
  write_file_atomically(folder / "empty.txt", "");
  write_file_atomically(folder / "text.sqlite", std::string(5000, 'x'));
  write_file_atomically(folder / "broken.json", "{\"model_type\": ");
  write_file_atomically(folder / "other.json", "{\"model_type\": \"gpt2\"}");
  spoil_demo(folder / "truncated", "model.safetensors",
             [](std::string& bytes) { bytes.resize(bytes.size() / 2); });
  spoil_demo(folder / "long-header", "model.safetensors", [](std::string& bytes) {
    bytes.replace(0, 8, {'\xFF', '\xFF', '\xFF', 0, 0, 0, 0, 0});
  });
  spoil_demo(folder / "other-shape", "config.json", [](std::string& text) {
    nlohmann::json config = nlohmann::json::parse(text);
    config["vocab_size"] = config.at("vocab_size").get<int>() + 1;
    text = config.dump();
  });
  spoil_demo(folder / "unigram", "tokenizer.json", [](std::string& text) {
    nlohmann::json tokenizer = nlohmann::json::parse(text);
    tokenizer["model"]["type"] = "Unigram";
    text = tokenizer.dump();
  });
  std::filesystem::create_directories(folder / "data/gsm8k");
  write_file_atomically(folder / "data/gsm8k/test.jsonl",
                        "{\"question\": \"1 + 1?\", \"answer\": \"#### 2\"}\n{\"question\": 7}\n");
  // Of this project, but from a version to come.
  results::open_for_writing(folder / "later.sqlite")->execute("PRAGMA user_version = 1000");
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

class BadInput : public ::testing::TestWithParam<Case> {};

TEST_P(BadInput, IsOneLineAndExitStatus2) {
  const testing::TemporaryFolder folder;
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& argument : arguments) {
    const std::size_t at = argument.find("@TMP");
    if (at != std::string::npos) argument.replace(at, 4, folder.path().string());
  }
  write_bad_files(folder.path());
  const testing::ProgramResult result = testing::run_fbt_eval(arguments);
  EXPECT_EQ(result.status, 2) << result.errors;
  EXPECT_THAT(result.errors, StartsWith("fbt-eval: "));
  EXPECT_THAT(result.errors, HasSubstr(GetParam().message));
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
}

const std::string kTiny =
    "random:" + (testing::source_dir() / "tests/harness/cli/tiny.json").string();
const std::string kPlain =
    "random:" + (testing::source_dir() / "tests/harness/cli/tiny-standard.json").string();

INSTANTIATE_TEST_SUITE_P(
    Run, BadInput,
    ::testing::Values(
        Case{"task",
             {"--tasks", "gms8k", "--checkpoint", kTiny, "--db", "@TMP/r.sqlite"},
             "did you mean gsm8k"},
        Case{"mode", {"--tasks", "gsm8k", "--mode", "sotf", "--checkpoint", kTiny}, "soft"},
        Case{"shots",
             {"--tasks", "gsm8k", "--shots", "-1", "--checkpoint", kTiny},
             "--shots: -1 is not allowed: give 0 or a number above it"},
        Case{"shard", {"--tasks", "gsm8k", "--shard", "3/2", "--checkpoint", kTiny}, "--shard 3/2"},
        Case{"format", {"--tasks", "gsm8k", "--format", "xml", "--checkpoint", kTiny}, "xml"},
        Case{"dtype", {"--tasks", "gsm8k", "--dtype", "int8", "--checkpoint", kTiny}, "int8"},
        Case{"no checkpoint", {"--tasks", "gsm8k", "--checkpoint", "@TMP/none"}, "none"},
        Case{"broken config",
             {"--tasks", "gsm8k", "--checkpoint", "random:@TMP/broken.json"},
             "broken.json"},
        Case{"model type", {"--tasks", "gsm8k", "--checkpoint", "random:@TMP/other.json"}, "gpt2"},
        Case{"no feedback",
             {"--tasks", "gsm8k", "--mode", "fused", "--data", "samples", "--checkpoint", kPlain,
              "--db", "@TMP/r.sqlite"},
             "no feedback weights"},
        Case{"no data",
             {"--tasks", "gsm8k", "--data", "@TMP", "--checkpoint", kTiny, "--db", "@TMP/r.sqlite"},
             "data fetch"},
        Case{"truncated weights",
             {"--tasks", "gsm8k", "--data", "samples", "--checkpoint", "@TMP/truncated"},
             "truncated/model.safetensors: tensor"},
        Case{"header longer than the file",
             {"--tasks", "gsm8k", "--data", "samples", "--checkpoint", "@TMP/long-header"},
             "header claims 16777215 bytes"},
        Case{"shape",
             {"--tasks", "gsm8k", "--data", "samples", "--checkpoint", "@TMP/other-shape"},
             "model.embed_tokens.weight has shape"},
        Case{"kind of tokenizer",
             {"--tasks", "gsm8k", "--data", "samples", "--checkpoint", "@TMP/unigram"},
             "'Unigram model' is not supported"},
        Case{"line of data",
             {"--tasks", "gsm8k", "--shots", "0", "--data", "@TMP/data", "--db", "@TMP/r.sqlite"},
             "gsm8k/test.jsonl:2"},
        Case{"unwritable place",
             {"--tasks", "gsm8k", "--checkpoint", kTiny, "--data", "samples", "--db",
              "/proc/r.sqlite"},
             "/proc/r.sqlite"},
        Case{"database of a later version",
             {"--tasks", "gsm8k", "--data", "samples", "--checkpoint", kTiny, "--db",
              "@TMP/later.sqlite"},
             "1000"},
        Case{"option", {"--taks", "gsm8k"}, "unknown option '--taks'; did you mean --tasks?"},
        Case{"value of an option", {"--tasks", "gsm8k", "--limit", "x"}, "--limit"},
        Case{"command", {"rum"}, "unknown command 'rum'; did you mean run?"},
        Case{"nothing asked for", {"run"}, "--tasks is required (see fbt-eval run --help)"},
        Case{"foreign database",
             {"--tasks", "gsm8k", "--data", "samples", "--checkpoint", kTiny, "--db",
              "@TMP/text.sqlite"},
             "text.sqlite"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Mechanism, BadInput,
    ::testing::Values(
        Case{"stability without feedback",
             {"stability", "--checkpoint", kPlain, "--text", "@TMP/other.json"},
             "no feedback weights"},
        Case{"sweep without feedback",
             {"sweep", "--checkpoint", kPlain, "--text", "@TMP/other.json"},
             "no feedback weights"},
        Case{"stability without text",
             {"stability", "--checkpoint", kTiny},
             "--text FILE or --text-task"},
        Case{"no feedback steps",
             {"stability", "--checkpoint", kTiny, "--text", "@TMP/empty.txt", "--steps", "0"},
             "--steps: 0 is not allowed: give a number from 1 to 1000"},
        Case{"no windows",
             {"stability", "--checkpoint", kTiny, "--text", "@TMP/empty.txt", "--windows", "0"},
             "--windows: 0 is not allowed: give a number above 0"},
        Case{"empty text",
             {"stability", "--checkpoint", "demo", "--text", "@TMP/empty.txt", "--db",
              "@TMP/r.sqlite"},
             "empty.txt: 0 tokens of text"},
        Case{"probe task",
             {"probe", "--checkpoint", "demo", "--tasks", "recal", "--db", "@TMP/r.sqlite"},
             "unknown probe task 'recal'; did you mean recall?"},
        Case{"groups of a probe",
             {"probe", "--checkpoint", "demo", "--tasks", "recall", "--idle", "0", "--groups", "1",
              "--db", "@TMP/r.sqlite"},
             "1 groups are too few"},
        Case{"suffix of a probe",
             {"probe", "--checkpoint", "demo", "--tasks", "recall", "--idle", "0", "--groups", "8",
              "--suffix", "500", "--db", "@TMP/r.sqlite"},
             "too few for --suffix 500"},
        Case{"sweep of nothing", {"sweep", "--checkpoint", kTiny}, "nothing to"},
        Case{"traces of no file", {"traces", "--db", "@TMP/none.sqlite"}, "none.sqlite"}),
    case_name);

}  // namespace
}  // namespace fbt
