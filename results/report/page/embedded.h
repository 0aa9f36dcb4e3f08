#pragma once

// The page's own files, embedded in the program.

#include <span>
#include <string_view>

#include "base/embedded_file.h"

namespace fbt::results {

std::string_view report_page_html();
std::string_view report_browser_html();
std::span<const EmbeddedFile> report_styles();   // in the order in which they apply
std::span<const EmbeddedFile> report_scripts();  // in the order in which they run

}  // namespace fbt::results
