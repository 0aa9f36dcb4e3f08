// Numbers out of range: one short line with the option, the value and what is allowed.

#include <gmock/gmock.h>

#include "tests/support/program.h"

namespace fbt {
namespace {

TEST(NumberOptions, NameTheValueAndWhatIsAllowed) {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const Case cases[] = {
      {{"tasks", "show", "gsm8k", "--shots", "-1"},
       "--shots: -1 is not allowed: give 0 or a number above it (see fbt-eval tasks show --help)"},
      {{"tasks", "show", "gsm8k", "--doc", "x"},
       "--doc: x is not allowed: give 0 or a number above it (see fbt-eval tasks show --help)"},
      {{"grade", "--timeout", "0"},
       "--timeout: 0 is not allowed: give a number above 0 (see fbt-eval grade --help)"},
      {{"grade", "--timeout", "nan"},
       "--timeout: nan is not allowed: give a number above 0 (see fbt-eval grade --help)"},
      {{"regrade", "--threads", "-3"},
       "--threads: -3 is not allowed: give 0 or a number above it (see fbt-eval regrade --help)"},
      {{"compare", "--level", "2"},
       "--level: 2 is not allowed: give a number from 0.5 to 0.9999 (see fbt-eval compare --help)"},
      {{"report", "--samples", "-inf"},
       "--samples: -inf is not allowed: give 0 or a number above it (see fbt-eval report --help)"},
  };
  for (const Case& c : cases) {
    const testing::ProgramResult result = testing::run_fbt_eval(c.arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.errors, std::string("fbt-eval: ") + c.message + '\n');
  }
}

}  // namespace
}  // namespace fbt
