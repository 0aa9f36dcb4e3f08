#pragma once

// The worker's two parts, carried inside our own binaries so that they run from
// anywhere: the extension module and the Python text that loads it.

#include <string_view>

namespace fbt::sandbox {

std::string_view runner_module();
std::string_view runner_launcher();

}  // namespace fbt::sandbox
