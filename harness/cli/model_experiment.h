#pragma once

// What the experiments over a checkpoint (stability, sweep, probe) start from.

#include <string>

#include "harness/cli/engine_options.h"
#include "harness/cli/experiment_options.h"
#include "harness/decode/pass_stream.h"
#include "harness/mechanism/experiment.h"
#include "harness/mechanism/text_windows.h"
#include "harness/model/checkpoint.h"

namespace fbt::cli {

// The checkpoint's facts, before any weight is read.
Checkpoint open_for(const EngineArguments& arguments);

// Throws InputError, saying why, where the checkpoint has no feedback weights.
void require_feedback(const Checkpoint& checkpoint, const char* command);

mechanism::RecordOptions record_options(const RecordArguments& arguments);

// Where the text comes from on which losses are measured.
struct TextArguments {
  std::string file;
  std::string task;
  std::string data;  // of the task
  mechanism::WindowOptions windows;
};

// --text, --text-task, --window, --windows; the caller adds --data.
void add_text_options(CLI::App& command, TextArguments& arguments);

// The windows of the file or the task. Windows are shortened to the context.
mechanism::TextWindows read_windows(const TextArguments& arguments,
                                    const std::string& checkpoint_spec, const PassStream& stream);

}  // namespace fbt::cli
