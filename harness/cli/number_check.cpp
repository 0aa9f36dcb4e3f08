#include "harness/cli/number_check.h"

#include <cmath>

#include <fmt/format.h>

namespace fbt::cli {
namespace {

template <typename Allowed>
CLI::Validator number_check(const std::string& what, const char* name, Allowed allowed) {
  return CLI::Validator(
      [what, allowed](std::string& text) {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        return number && allowed(value) ? std::string()
                                        : fmt::format("{} is not allowed: give {}", text, what);
      },
      name);
}

}  // namespace

CLI::Validator positive_number() {
  return number_check("a number above 0", "POSITIVE", [](double value) { return value > 0; });
}

CLI::Validator non_negative_number() {
  return number_check("0 or a number above it", "NONNEGATIVE",
                      [](double value) { return value >= 0; });
}

CLI::Validator number_between(double least, double most) {
  const std::string what = fmt::format("a number from {} to {}", least, most);
  return number_check(what, "",
                      [least, most](double value) { return value >= least && value <= most; });
}

}  // namespace fbt::cli
