#pragma once

// What is wrong with a command line, in one line.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace fbt::cli {

// The message for `error`, which parsing `arguments` (in the order given) threw:
// an unknown command or option with the nearest known ones, where there is one,
// else what CLI11 says; and whose help tells more. Without "fbt-eval: ".
std::string usage_message(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error);

}  // namespace fbt::cli
