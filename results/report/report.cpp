#include "results/report/report.h"

#include <functional>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "base/version.h"
#include "results/report/markup.h"
#include "results/report/page/embedded.h"
#include "results/report/section/sections.h"
#include "results/report/write/sample_json.h"
#include "results/report/write/section_html.h"

namespace fbt::results {
namespace {

std::string joined(std::span<const EmbeddedFile> files) {
  std::string all = "\n";
  for (const EmbeddedFile& file : files) all += file.content;
  return all;
}

std::vector<Section> sections_of(const ReportData& data, const ReportOptions& options) {
  std::vector<Section> sections;
  for (std::optional<Section> section :
       {overview_section(data), scores_section(data), scaling_section(data),
        paired_tests_section(data), lengths_section(data), temperatures_section(data),
        sweep_section(data), stability_section(data, options.judge_stability), probe_section(data),
        settings_section(data)}) {
    if (section) sections.push_back(std::move(*section));
  }
  return sections;
}

std::string title_of(const ReportData& data, const ReportOptions& options) {
  if (!options.title.empty()) return options.title;
  const auto& rows = data.comparison.rows;
  if (rows.size() == 1) return rows.front().checkpoint.name;
  return rows.empty() ? "Mechanism experiments" : fmt::format("{} checkpoints", rows.size());
}

// Replaces each {{name}} in one pass: braces in the values stay as they are.
std::string fill(std::string_view page, const std::map<std::string, std::string>& values) {
  std::string filled;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t open = page.find("{{", at);
    filled += page.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = page.find("}}", open);
    filled += values.at(std::string(page.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
  return filled;
}

}  // namespace

std::string report_html(std::span<const std::filesystem::path> databases,
                        const ReportOptions& options) {
  const ReportData data = collect_report(databases, options);
  const std::vector<Section> sections = sections_of(data, options);
  const bool has_samples = !data.samples.samples.empty();
  std::string body;
  for (const Section& section : sections) body += section_html(section);
  std::string navigation = navigation_html(sections);
  std::string samples;
  if (has_samples) {
    navigation += "<li><a href=\"#samples\">Samples</a></li>\n";
    samples = fill(report_browser_html(), {{"data", script_json(sample_json(data))}});
  }
  const std::string style = joined(report_styles());
  const std::string script = joined(report_scripts());
  return fill(report_page_html(), {{"title", escape_markup(title_of(data, options))},
                                   {"version", escape_markup(kVersion)},
                                   {"style", style},
                                   {"style_hash", sha256_base64(style)},
                                   {"script", script},
                                   {"script_hash", sha256_base64(script)},
                                   {"navigation", navigation},
                                   {"sections", body},
                                   {"samples", samples}});
}

}  // namespace fbt::results
