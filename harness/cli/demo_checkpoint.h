#pragma once

// Where the demo checkpoint lies that comes with the program.

#include <string>

namespace fbt::cli {

// `checkpoint` itself, or the demo checkpoint's folder for "demo": $FBT_DEMO,
// the source tree's demo/, or share/fbt-eval/demo beside the installed program.
// Throws InputError where none of them is there.
std::string resolve_checkpoint(const std::string& checkpoint);

}  // namespace fbt::cli
