#pragma once

// fbt-eval report: one self-contained HTML page about results files. It loads
// nothing, runs no script but its own (a content security policy holds it to
// that), and shows whatever models wrote as text.

#include <filesystem>
#include <span>
#include <string>

#include "results/report/collect/report_data.h"

namespace fbt::results {

// The page. The same files and options give the same bytes. Throws as
// collect_report() does.
std::string report_html(std::span<const std::filesystem::path> databases,
                        const ReportOptions& options);

}  // namespace fbt::results
