#include "results/report/write/section_html.h"

#include <fmt/format.h>

#include "results/report/markup.h"

namespace fbt::results {
namespace {

// The cell's first line, and the others as small print.
std::string cell_html(std::string_view text) {
  std::string html;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = escape_markup(text.substr(begin, end - begin));
    html += begin == 0 ? line : fmt::format("<span class=\"under\">{}</span>", line);
    begin = end + 1;
  }
  return html;
}

std::string row_html(const Table& table, const std::vector<std::string>& cells) {
  const bool is_sub_row = !cells.empty() && cells.front().starts_with("  ");
  std::string html = is_sub_row ? "<tr class=\"sub\">" : "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char* tag = i == 0 ? "th scope=\"row\"" : "td";
    html +=
        fmt::format("<{}{}>{}</{}>", tag, table.columns[i].right_aligned ? " class=\"number\"" : "",
                    cell_html(cells[i]), i == 0 ? "th" : "td");
  }
  return html + "</tr>\n";
}

std::string table_html(const Table& table) {
  std::string html = "<div class=\"scroll\"><table>\n";
  if (!table.title.empty()) {
    html += fmt::format("<caption>{}</caption>\n", escape_markup(table.title));
  }
  html += "<thead><tr>";
  for (const Column& column : table.columns) {
    html +=
        fmt::format("<th scope=\"col\"{}>{}</th>", column.right_aligned ? " class=\"number\"" : "",
                    escape_markup(column.header));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += row.empty() ? "</tbody>\n<tbody>\n" : row_html(table, row);
  }
  html += "</tbody></table></div>\n";
  for (const std::string& note : table.notes) {
    html += fmt::format("<p class=\"note\">{}</p>\n", escape_markup(note));
  }
  return html;
}

std::string folded(const std::string& heading, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escape_markup(heading),
                     content);
}

struct BlockWriter {
  std::string operator()(const Paragraph& paragraph) const {
    return fmt::format("<p{}>{}</p>\n", paragraph.is_warning ? " class=\"warning\"" : "",
                       escape_markup(paragraph.text));
  }
  std::string operator()(const Subheading& heading) const {
    return fmt::format("<h3>{}</h3>\n", escape_markup(heading.text));
  }
  std::string operator()(const TableBlock& block) const {
    const std::string table = table_html(block.table);
    return block.folded.empty() ? table : folded(block.folded, table);
  }
  std::string operator()(const Tables& tables) const {
    std::string html = "<div class=\"tables\">\n";
    for (const Table& table : tables.tables)
      html += fmt::format("<div>{}</div>\n", table_html(table));
    return html + "</div>\n";
  }
  std::string operator()(const Figures& figures) const {
    std::string html = "<div class=\"figures\">\n";
    for (const Figure& figure : figures.figures) {
      html += fmt::format(
          "<figure><figcaption>{}</figcaption>\n<div class=\"scroll\">{}</div>\n{}</figure>\n",
          escape_markup(figure.caption), figure.svg,
          folded("The figures behind it", table_html(figure.data)));
    }
    return html + "</div>\n";
  }
};

}  // namespace

std::string section_html(const Section& section) {
  std::string html =
      fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\" tabindex=\"-1\">{1}</h2>\n",
                  escape_markup(section.id), escape_markup(section.title));
  for (const Block& block : section.blocks) html += std::visit(BlockWriter(), block);
  return html + "</section>\n";
}

std::string navigation_html(std::span<const Section> sections) {
  std::string html;
  for (const Section& section : sections) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escape_markup(section.id),
                        escape_markup(section.title));
  }
  return html;
}

}  // namespace fbt::results
