#pragma once

// What the commands that record and show results (run, stability, sweep, probe,
// traces) have in common.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include "results/table/table.h"

namespace fbt::cli {

// Where these options stand in the help.
inline constexpr const char* kResultOptions = "Results";

struct RecordArguments {
  std::string database = "results.sqlite";
  std::string shard = "1/1";
  bool fresh = false;
};

// --db, --shard, --fresh.
void add_record_options(CLI::App& command, RecordArguments& arguments);

// --format: table, markdown, latex, csv or json. A wrong name is refused when
// the command line is parsed.
void add_format_option(CLI::App& command, std::string& format);

// The tables, or the JSON object on one line, on standard output.
void print_result(const std::vector<results::Table>& tables, const nlohmann::json& json,
                  const std::string& format);

}  // namespace fbt::cli
