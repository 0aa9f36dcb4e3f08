#include <algorithm>

#include "base/utf8.h"
#include "results/table/render.h"

namespace fbt::results {
namespace {

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(count_code_points(column.header));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], count_code_points(row[i]));
    }
  }
  return widths;
}

void append_padded(std::string& line, const std::string& cell, std::size_t width, bool right) {
  const std::string space(width - count_code_points(cell), ' ');
  line += right ? space + cell : cell + space;
}

void append_row(std::string& text, const Table& table, const std::vector<std::size_t>& widths,
                const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += "  ";
    append_padded(line, cells[i], widths[i], table.columns[i].right_aligned);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

}  // namespace

std::string render_terminal(const Table& table) {
  const std::vector<std::size_t> widths = widths_of(table);
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width + 2;
  std::string rule;
  for (std::size_t i = 2; i < total; ++i) rule += "─";
  rule += '\n';

  std::string text;
  if (!table.title.empty()) text += table.title + "\n\n";
  std::vector<std::string> headers;
  for (const Column& column : table.columns) headers.push_back(column.header);
  append_row(text, table, widths, headers);
  text += rule;
  for (const auto& row : table.rows) {
    if (row.empty()) {
      text += rule;
    } else {
      append_row(text, table, widths, row);
    }
  }
  if (!table.notes.empty()) text += '\n';
  for (const std::string& note : table.notes) text += note + '\n';
  return text;
}

}  // namespace fbt::results
