#pragma once

// Sections as HTML.

#include <span>
#include <string>

#include "results/report/document.h"

namespace fbt::results {

std::string section_html(const Section& section);

// Links to the sections, as list items.
std::string navigation_html(std::span<const Section> sections);

}  // namespace fbt::results
