#pragma once

// Commands of fbt-eval. Each lives in a file of its own, named after it, and
// offers one function that adds its subcommand to the program:
//
//   void add_tokenize_command(CLI::App& app, ExitStatus& status);
//
// The subcommand's callback does the work. It throws Error for failures (main
// prints the line and exits with its status) and sets `status` for outcomes
// that are no errors, as a failed gate. Results go to standard output, progress
// and logs to standard error.

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace fbt::cli {

// One line per command, alphabetical.
void add_compare_command(CLI::App& app, ExitStatus& status);
void add_data_command(CLI::App& app, ExitStatus& status);
void add_detokenize_command(CLI::App& app, ExitStatus& status);
void add_doctor_command(CLI::App& app, ExitStatus& status);
void add_export_command(CLI::App& app, ExitStatus& status);
void add_gate_command(CLI::App& app, ExitStatus& status);
void add_generate_command(CLI::App& app, ExitStatus& status);
void add_grade_command(CLI::App& app, ExitStatus& status);
void add_logits_command(CLI::App& app, ExitStatus& status);
void add_merge_command(CLI::App& app, ExitStatus& status);
void add_model_command(CLI::App& app, ExitStatus& status);
void add_probe_command(CLI::App& app, ExitStatus& status);
void add_regrade_command(CLI::App& app, ExitStatus& status);
void add_report_command(CLI::App& app, ExitStatus& status);
void add_run_command(CLI::App& app, ExitStatus& status);
void add_stability_command(CLI::App& app, ExitStatus& status);
void add_sweep_command(CLI::App& app, ExitStatus& status);
void add_synthetic_command(CLI::App& app, ExitStatus& status);
void add_tasks_command(CLI::App& app, ExitStatus& status);
void add_tokenize_command(CLI::App& app, ExitStatus& status);
void add_traces_command(CLI::App& app, ExitStatus& status);
void add_train_command(CLI::App& app, ExitStatus& status);

}  // namespace fbt::cli
