#pragma once

// Data that became part of the program.

#include <string_view>

namespace fbt::results {

std::string_view references_json();

}  // namespace fbt::results
