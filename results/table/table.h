#pragma once

// A table of text cells and its renderings. Commands build one; the reader
// chooses the format.

#include <string>
#include <string_view>
#include <vector>

namespace fbt::results {

struct Column {
  std::string header;
  bool right_aligned = false;
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  // As many cells a row as there are columns. A row without cells is a rule.
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;  // below the table, one a line
};

enum class TableFormat { kTerminal, kMarkdown, kLatex, kCsv };

// Throws InputError with the nearest names. "table" is the terminal's.
TableFormat table_format_from_name(std::string_view name);

// Ends with a line end.
std::string render(const Table& table, TableFormat format);

// "53.08", "-", with the sign for differences: "+1.20".
std::string percent(double fraction, int decimals = 2);
std::string signed_percent(double fraction, int decimals = 2);
// "1,234,567".
std::string grouped(long long number);
// "200B", "1T", "36.5B", "250M": a count of training tokens.
std::string token_count(double tokens);

}  // namespace fbt::results
