#pragma once

#include "sandbox/pool.h"

namespace fbt::sandbox {

// One pool for all tests of the program: that it is still of use after a hostile
// program is a part of what they check.
Pool& shared_pool();

// Two workers and one second a program.
Options test_options();

}  // namespace fbt::sandbox
