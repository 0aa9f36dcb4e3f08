// fbt-eval gate: may this checkpoint replace that one?

#include <iostream>
#include <memory>

#include "base/file.h"
#include "harness/cli/command.h"
#include "harness/cli/selection_flags.h"
#include "results/gate/output.h"

namespace fbt::cli {
namespace {

struct GateFlags {
  SelectionFlags selection;
  std::string baseline;
  std::string candidate;
  std::string policy;
  std::string markdown;
  std::string junit;
  std::string format = "table";
  bool print_policy = false;
};

// The runs of one side. `name`: a results file that holds one checkpoint, or a
// checkpoint (by name or hash) of --db.
std::vector<results::RunData> runs_of(const GateFlags& flags, const std::string& name) {
  results::SelectionOptions options = flags.selection.options();
  SelectionFlags source = flags.selection;
  if (std::filesystem::is_regular_file(name)) {
    source.databases = {name};
  } else {
    options.checkpoints = {name};
  }
  const std::vector<results::Store> stores = source.open();
  std::vector<results::RunData> runs = results::select_runs(stores, options);
  results::require_one_checkpoint(runs, name);
  return runs;
}

std::string rendered(const results::GateReport& report, const std::string& format) {
  if (format == "table") return results::gate_text(report);
  if (format == "markdown") return results::gate_markdown(report);
  if (format == "junit") return results::gate_junit(report);
  if (format == "json") return results::gate_json(report) + "\n";
  throw InputError(unknown_name_message("format", format, {"table", "markdown", "junit", "json"}));
}

ExitStatus gate(const GateFlags& flags) {
  if (flags.print_policy) {
    std::cout << results::default_policy_json();
    return ExitStatus::kDone;
  }
  if (flags.baseline.empty() || flags.candidate.empty()) {
    throw InputError("gate needs --baseline and --candidate");
  }
  const results::GatePolicy policy =
      flags.policy.empty() ? results::default_policy() : results::read_policy(flags.policy);
  const results::GateReport report =
      results::run_gate(runs_of(flags, flags.baseline), runs_of(flags, flags.candidate), policy);
  const std::string text = rendered(report, flags.format);
  if (!flags.markdown.empty()) {
    write_file_atomically(flags.markdown, results::gate_markdown(report));
  }
  if (!flags.junit.empty()) write_file_atomically(flags.junit, results::gate_junit(report));
  std::cout << text;
  return results::gate_exit_status(report.status);
}

}  // namespace

void add_gate_command(CLI::App& app, ExitStatus& status) {
  auto flags = std::make_shared<GateFlags>();
  CLI::App* command = app.add_subcommand(
      "gate", "May a checkpoint replace another? Exit status 0: yes, 1: no, 2: cannot be told");
  command->add_option("--baseline", flags->baseline,
                      "Checkpoint of --db, or a results file of one checkpoint");
  command->add_option("--candidate", flags->candidate, "The same for the checkpoint to judge");
  command->add_option("--policy", flags->policy, "Policy file (JSON); see --print-policy");
  command->add_flag("--print-policy", flags->print_policy,
                    "Print the policy that holds without --policy");
  flags->selection.add_to(*command, SelectionFlags::Checkpoints::kNamedElsewhere);
  command->add_option("--markdown", flags->markdown, "Write the verdict for a pull request");
  command->add_option("--junit", flags->junit, "Write the verdict as JUnit XML");
  command->add_option("--format", flags->format, "table, markdown, junit or json")
      ->capture_default_str();
  command->callback([flags, &status] { status = gate(*flags); });
}

}  // namespace fbt::cli
