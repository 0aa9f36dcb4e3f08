#pragma once

// One function a format; see table.h.

#include "results/table/table.h"

namespace fbt::results {

std::string render_terminal(const Table& table);
std::string render_markdown(const Table& table);
std::string render_latex(const Table& table);  // needs \usepackage{booktabs}
std::string render_csv(const Table& table);    // RFC 4180, without title, rules and notes

}  // namespace fbt::results
