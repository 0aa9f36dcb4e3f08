#pragma once

// Checks of options that take a number. What they refuse is named in the message
// together with what is allowed; "nan" and infinities are refused.

#include <CLI/CLI.hpp>

namespace fbt::cli {

CLI::Validator positive_number();
CLI::Validator non_negative_number();

// Both ends are allowed.
CLI::Validator number_between(double least, double most);

}  // namespace fbt::cli
