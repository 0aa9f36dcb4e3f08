// fbt-eval compare: checkpoints and modes side by side.

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/utf8.h"
#include "harness/cli/command.h"
#include "harness/cli/number_check.h"
#include "harness/cli/selection_flags.h"
#include "results/compare/comparison_tables.h"

namespace fbt::cli {
namespace {

struct CompareFlags {
  SelectionFlags selection;
  results::CompareOptions options;
  std::string temperature = "best";
  std::string format = "table";
  bool references = false;
};

// Columns of the terminal; as good as endless where the output is none.
std::size_t terminal_width() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 100000;
  return size.ws_col > 0 ? size.ws_col : 100000;
}

std::size_t width_of(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, count_code_points(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

void print_tables(const results::Comparison& comparison,
                  const std::vector<results::DataEfficiency>& efficiencies,
                  const std::vector<results::TraceLengths>& lengths,
                  const std::vector<results::ReferenceRow>& references,
                  results::TableFormat format) {
  results::Table main = comparison_table(comparison, references);
  std::string text = render(main, format);
  // Notes wrap by themselves; the table does not.
  main.notes.clear();
  if (format == results::TableFormat::kTerminal &&
      width_of(render(main, format)) > terminal_width()) {
    text.clear();
    for (const auto& table : comparison_tables_by_task(comparison, references)) {
      if (!text.empty()) text += '\n';
      text += render(table, format);
    }
  }
  std::cout << text;
  if (!efficiencies.empty()) std::cout << '\n' << render(efficiency_table(efficiencies), format);
  if (!lengths.empty()) std::cout << '\n' << render(lengths_table(lengths), format);
}

void compare(const CompareFlags& flags) {
  results::CompareOptions options = flags.options;
  options.temperature = results::temperature_choice_from_text(flags.temperature);
  const std::vector<results::Store> stores = flags.selection.open();
  const std::vector<results::RunData> runs =
      results::select_runs(stores, flags.selection.options());
  const results::Comparison comparison = results::compare_runs(runs, options);
  const auto efficiencies =
      results::data_efficiencies(runs, options.temperature, options.metric, options.level);
  const auto lengths = results::compare_lengths(runs, options.temperature, options.level);
  const auto references =
      flags.references ? results::published_references() : std::vector<results::ReferenceRow>();
  if (flags.format == "json") {
    std::cout << comparison_json(comparison, efficiencies, lengths, references) << '\n';
    return;
  }
  const results::TableFormat format = results::table_format_from_name(flags.format);
  if (format == results::TableFormat::kCsv) {
    std::cout << render(comparison_long_table(comparison, references), format);
    return;
  }
  print_tables(comparison, efficiencies, lengths, references, format);
}

}  // namespace

void add_compare_command(CLI::App& app, ExitStatus&) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "Checkpoints and modes side by side");
  flags->selection.add_to(*command);
  command->add_option("--baseline", flags->options.baseline,
                      "Checkpoint that differences are taken to");
  command->add_option("--baseline-mode", flags->options.baseline_mode,
                      "Its mode (each column's own, else standard)");
  command->add_option("--metric", flags->options.metric, "In place of each task's primary metric");
  command->add_option("--temperature", flags->temperature,
                      "Where a grid was sampled: best, split-half or a number (best)");
  command->add_option("--level", flags->options.level, "Coverage of the intervals (0.95)")
      ->check(number_between(0.5, 0.9999));
  command->add_flag("--subjects", flags->options.subjects,
                    "Columns for MMLU's subjects too, not only for its groups");
  command->add_flag("--references", flags->references, "Add rows of published figures");
  command->add_option("--format", flags->format, "table, markdown, latex, csv or json");
  command->callback([flags] { compare(*flags); });
}

}  // namespace fbt::cli
