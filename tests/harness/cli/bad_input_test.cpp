// Bad input gives one line on standard error, that names what is wrong, and exit status 2.

#include <algorithm>

#include <gmock/gmock.h>

#include "base/file.h"
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

class BadInput : public ::testing::TestWithParam<Case> {};

TEST_P(BadInput, IsOneLineAndExitStatus2) {
  const testing::TemporaryFolder folder;
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& argument : arguments) {
    const std::size_t at = argument.find("@TMP");
    if (at != std::string::npos) argument.replace(at, 4, folder.path().string());
  }
  write_file_atomically(folder.path() / "text.sqlite", std::string(5000, 'x'));
  write_file_atomically(folder.path() / "broken.json", "{\"model_type\": ");
  write_file_atomically(folder.path() / "other.json", "{\"model_type\": \"gpt2\"}");
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
        Case{"foreign database",
             {"--tasks", "gsm8k", "--data", "samples", "--checkpoint", kTiny, "--db",
              "@TMP/text.sqlite"},
             "text.sqlite"}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

}  // namespace
}  // namespace fbt
