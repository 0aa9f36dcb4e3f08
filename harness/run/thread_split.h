#pragma once

// How a machine's cores are shared between the model and the programs it writes.

namespace fbt::run {

struct ThreadSplit {
  int model = 1;    // threads of the model's operations
  int sandbox = 1;  // programs that run side by side, and threads that judge
};

// `model_threads`: as the user asked; 0: by default. Programs finish in
// milliseconds while the model takes seconds for each, so one core in eight is
// enough for them; from four cores on, a model on the CPU leaves them free, since
// a thread that lost its core would hold up all the others. A model on another
// device leaves all cores to the programs.
ThreadSplit split_threads(int cores, bool model_on_cpu, bool runs_code, int model_threads);

}  // namespace fbt::run
