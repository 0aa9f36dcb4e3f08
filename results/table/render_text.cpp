// Markdown, LaTeX and CSV.

#include <string_view>

#include <fmt/format.h>

#include "results/table/render.h"

namespace fbt::results {
namespace {

std::string escape_markdown(std::string_view cell) {
  std::string text;
  for (const char c : cell) {
    if (c == '\n') {
      text += ' ';
      continue;
    }
    if (std::string_view("|*_`<\\").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string escape_latex(std::string_view cell) {
  std::string text;
  for (const char c : cell) {
    switch (c) {
      case '\\':
        text += "\\textbackslash{}";
        break;
      case '~':
        text += "\\textasciitilde{}";
        break;
      case '^':
        text += "\\textasciicircum{}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        text += '\\';
        [[fallthrough]];
      default:
        text += c;
    }
  }
  // Characters of our own tables that older LaTeX does not know.
  replace_all(text, "×", "$\\times$");
  replace_all(text, "≈", "$\\approx$");
  replace_all(text, "≥", "$\\geq$");
  replace_all(text, "≤", "$\\leq$");
  replace_all(text, "Δ", "$\\Delta$");
  replace_all(text, "→", "$\\rightarrow$");
  replace_all(text, "†", "$\\dagger$");
  return text;
}

std::string escape_csv(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = cell;
  replace_all(text, "\"", "\"\"");
  return fmt::format("\"{}\"", text);
}

}  // namespace

std::string render_markdown(const Table& table) {
  std::string text;
  if (!table.title.empty()) text += fmt::format("**{}**\n\n", escape_markdown(table.title));
  std::string alignment;
  for (const Column& column : table.columns) {
    text += fmt::format("| {} ", escape_markdown(column.header));
    alignment += column.right_aligned ? "| ---: " : "| --- ";
  }
  text += "|\n" + alignment + "|\n";
  for (const auto& row : table.rows) {
    if (row.empty()) continue;
    for (const std::string& cell : row) text += fmt::format("| {} ", escape_markdown(cell));
    text += "|\n";
  }
  for (const std::string& note : table.notes) text += fmt::format("\n{}\n", escape_markdown(note));
  return text;
}

std::string render_latex(const Table& table) {
  std::string alignment;
  std::string headers;
  for (const Column& column : table.columns) {
    alignment += column.right_aligned ? 'r' : 'l';
    if (!headers.empty()) headers += " & ";
    headers += escape_latex(column.header);
  }
  std::string text = "\\begin{table}\n\\centering\n";
  if (!table.title.empty()) text += "\\caption{" + escape_latex(table.title) + "}\n";
  text += "\\begin{tabular}{" + alignment + "}\n\\toprule\n" + headers + " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    if (row.empty()) {
      text += "\\midrule\n";
      continue;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += " & ";
      text += escape_latex(row[i]);
    }
    text += " \\\\\n";
  }
  text += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : table.notes) {
    text += "\\par\\smallskip\\footnotesize " + escape_latex(note) + "\n";
  }
  return text + "\\end{table}\n";
}

std::string render_csv(const Table& table) {
  std::string text;
  const auto append = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) text += ',';
      text += escape_csv(cells[i]);
    }
    text += "\r\n";
  };
  std::vector<std::string> headers;
  for (const Column& column : table.columns) headers.push_back(column.header);
  append(headers);
  for (const auto& row : table.rows) {
    if (!row.empty()) append(row);
  }
  return text;
}

}  // namespace fbt::results
