// A program that uses a pool and waits to be killed: see lifetime_test.cpp.

#include <csignal>
#include <cstdio>

#include <unistd.h>

#include "tests/sandbox/support.h"

int main() {
  // A sanitizer would turn the signal into an exit.
  std::signal(SIGSEGV, SIG_DFL);
  fbt::sandbox::Options options = fbt::sandbox::test_options();
  options.limits.wall_seconds = 600;
  fbt::sandbox::Pool pool(options);
  const char* program =
      "import os, time\n"
      "try:\n"
      "  if os.fork() == 0:\n"
      "    os.setsid()\n"
      "    if os.fork(): os._exit(0)\n"
      "  open('/tmp/x', 'w').write('x')\n"
      "except OSError: pass  # tier 2 has neither\n"
      "time.sleep(500)\n";
  for (int i = 0; i < options.workers; ++i) pool.submit({program, {}, {}}, [](auto&&) {});
  std::puts("started");
  std::fflush(stdout);
  ::pause();
}
