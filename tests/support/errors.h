#pragma once

// The message of the error that a call throws.

#include <string>
#include <utility>

#include "base/error.h"

namespace fbt::testing {

// "no error" where it throws none; other kinds of exceptions pass through.
template <typename Error = InputError, typename Call>
std::string error_of(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace fbt::testing
