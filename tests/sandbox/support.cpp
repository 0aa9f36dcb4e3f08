#include "tests/sandbox/support.h"

namespace fbt::sandbox {

Options test_options() {
  Options options;
  options.workers = 2;
  options.limits.wall_seconds = 1;
  options.limits.memory_bytes = 512 << 20;
  return options;
}

Pool& shared_pool() {
  static Pool pool(test_options());
  return pool;
}

}  // namespace fbt::sandbox
