// fbt-eval report: one self-contained HTML page about results files.

#include <memory>

#include <spdlog/spdlog.h>

#include "base/file.h"
#include "harness/cli/command.h"
#include "harness/cli/number_check.h"
#include "harness/cli/selection_flags.h"
#include "harness/mechanism/convergence.h"
#include "results/report/report.h"

namespace fbt::cli {
namespace {

struct ReportFlags {
  SelectionFlags selection;
  results::ReportOptions options;
  std::string temperature = "best";
  std::string file;
};

std::string judge_stability(const results::StabilityCurve& curve) {
  const mechanism::ConvergenceOptions options{.longest_sequence = curve.longest_window};
  return mechanism::explain(mechanism::diagnose(curve.loss, curve.change, options), options);
}

void report(const ReportFlags& flags) {
  results::ReportOptions options = flags.options;
  options.selection = flags.selection.options();
  options.compare.temperature = results::temperature_choice_from_text(flags.temperature);
  options.judge_stability = judge_stability;
  const std::vector<std::filesystem::path> databases(flags.selection.databases.begin(),
                                                     flags.selection.databases.end());
  const std::string page = results::report_html(databases, options);
  write_file_atomically(flags.file, page);
  spdlog::info("wrote {} ({:.1f} MB)", flags.file, static_cast<double>(page.size()) / 1e6);
}

}  // namespace

void add_report_command(CLI::App& app, ExitStatus&) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command =
      app.add_subcommand("report", "One HTML page: tables, plots and a browser of samples");
  flags->selection.add_to(*command);
  command->add_option("--html", flags->file, "File to write")->required();
  command->add_option("--title", flags->options.title, "Heading of the page");
  command->add_option("--baseline", flags->options.compare.baseline,
                      "Checkpoint that differences are taken to (a single checkpoint's own "
                      "standard mode, else the first of the table)");
  command->add_option("--baseline-mode", flags->options.compare.baseline_mode,
                      "Its mode (each column's own, else standard)");
  command->add_option("--temperature", flags->temperature,
                      "Where a grid was sampled: best, split-half or a number (best)");
  command->add_option("--level", flags->options.compare.level, "Coverage of the intervals (0.95)")
      ->check(number_between(0.5, 0.9999));
  command->add_flag("--references", flags->options.references, "Add published figures");
  command
      ->add_option("--samples", flags->options.samples, "Samples in the browser, at most (20000)")
      ->check(non_negative_number());
  command->callback([flags] { report(*flags); });
}

}  // namespace fbt::cli
