// fbt-eval grade: scores completions that were made elsewhere.

#include <iostream>
#include <memory>

#include "harness/cli/command.h"
#include "harness/cli/number_check.h"
#include "harness/run/grade.h"

namespace fbt::cli {

void add_grade_command(CLI::App& app, ExitStatus&) {
  auto request = std::make_shared<GradeRequest>();
  CLI::App* command = app.add_subcommand("grade", "Score completions that were made elsewhere");
  command->add_option("--task", request->task, "gsm8k, math500, humaneval, mbpp")->required();
  command->add_option("--input", request->input, "Completions, JSON Lines")->required();
  command->add_option("--data", request->data, "Folder of the data sets");
  command->add_option("--problems", request->problems,
                      "Problem file, in place of the one in --data");
  command->add_option("--k", request->k, "pass@k for these k")->delimiter(',');
  command->add_flag("--chat", request->chat,
                    "The completions are chat answers (code in fenced blocks, free GSM8K answers)");
  command->add_option("--workers", request->sandbox.workers,
                      "Programs side by side (0: one a core)");
  command
      ->add_option("--timeout", request->sandbox.limits.wall_seconds, "Seconds a program may run")
      ->check(positive_number());
  command->add_flag("--unsafe-code", request->sandbox.unsafe,
                    "Run programs even where this machine cannot contain them");
  command->callback([request] {
    GradeSinks sinks;
    sinks.line = [](const GradedLine& line) { std::cout << to_json_line(line) << '\n'; };
    sinks.totals = [](const std::string& text) { std::cout << text << '\n'; };
    sinks.summary = [](const std::string& text) { std::cerr << text << '\n'; };
    grade(*request, sinks);
  });
}

}  // namespace fbt::cli
