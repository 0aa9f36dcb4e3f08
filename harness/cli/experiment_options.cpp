#include "harness/cli/experiment_options.h"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "base/json_lines.h"

namespace fbt::cli {

void add_record_options(CLI::App& command, RecordArguments& arguments) {
  command.add_option("--db", arguments.database, "Results file")
      ->capture_default_str()
      ->group(kResultOptions);
  command.add_option("--shard", arguments.shard, "Part i/n of the work; shards may share one --db")
      ->group(kResultOptions);
  command
      .add_flag("--fresh", arguments.fresh,
                "Start over instead of going on where an earlier run stopped")
      ->group(kResultOptions);
}

void add_format_option(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "table, markdown, latex, csv or json")
      ->check(CLI::IsMember({"table", "markdown", "latex", "csv", "json"}))
      ->capture_default_str()
      ->group(kResultOptions);
}

void print_result(const std::vector<results::Table>& tables, const nlohmann::json& json,
                  const std::string& format) {
  if (format == "json") {
    std::puts(dump_json(json).c_str());
    return;
  }
  bool first = true;
  for (const results::Table& table : tables) {
    if (!first) std::puts("");
    first = false;
    std::fputs(render(table, results::table_format_from_name(format)).c_str(), stdout);
  }
}

}  // namespace fbt::cli
