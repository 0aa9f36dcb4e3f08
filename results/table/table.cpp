#include "results/table/table.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "results/table/render.h"

namespace fbt::results {

TableFormat table_format_from_name(std::string_view name) {
  if (name == "table") return TableFormat::kTerminal;
  if (name == "markdown") return TableFormat::kMarkdown;
  if (name == "latex") return TableFormat::kLatex;
  if (name == "csv") return TableFormat::kCsv;
  throw InputError(unknown_name_message("format", name, {"table", "markdown", "latex", "csv"}));
}

std::string render(const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::kTerminal:
      return render_terminal(table);
    case TableFormat::kMarkdown:
      return render_markdown(table);
    case TableFormat::kLatex:
      return render_latex(table);
    case TableFormat::kCsv:
      return render_csv(table);
  }
  return {};
}

std::string percent(double fraction, int decimals) {
  return fmt::format("{:.{}f}", fraction * 100, decimals);
}

std::string signed_percent(double fraction, int decimals) {
  return fmt::format("{:+.{}f}", fraction * 100, decimals);
}

std::string grouped(long long number) {
  const std::string digits = std::to_string(std::abs(number));
  std::string text = number < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string token_count(double tokens) {
  constexpr std::pair<double, const char*> kUnits[] = {
      {1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}};
  for (const auto& [unit, name] : kUnits) {
    // Three significant digits, so that 999.6e9 is 1T and not 1e+03B.
    if (tokens >= unit * 0.9995) return fmt::format("{:.3g}{}", tokens / unit, name);
  }
  return fmt::format("{:.3g}", tokens);
}

}  // namespace fbt::results
