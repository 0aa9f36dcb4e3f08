#include "sandbox/runner_image.h"

// FBT_RUNNER_MODULE and FBT_RUNNER_LAUNCHER are paths that the build sets.
asm(".section .rodata\n"
    "fbt_runner_module_begin:\n"
    ".incbin \"" FBT_RUNNER_MODULE
    "\"\n"
    "fbt_runner_module_end:\n"
    "fbt_runner_launcher_begin:\n"
    ".incbin \"" FBT_RUNNER_LAUNCHER
    "\"\n"
    "fbt_runner_launcher_end:\n"
    ".previous\n");

extern "C" {
extern const char fbt_runner_module_begin[] __attribute__((visibility("hidden")));
extern const char fbt_runner_module_end[] __attribute__((visibility("hidden")));
extern const char fbt_runner_launcher_begin[] __attribute__((visibility("hidden")));
extern const char fbt_runner_launcher_end[] __attribute__((visibility("hidden")));
}

namespace fbt::sandbox {

std::string_view runner_module() {
  return {fbt_runner_module_begin, fbt_runner_module_end};
}

std::string_view runner_launcher() {
  return {fbt_runner_launcher_begin, fbt_runner_launcher_end};
}

}  // namespace fbt::sandbox
