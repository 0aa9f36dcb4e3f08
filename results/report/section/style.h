#pragma once

// One look for each mode, all over the report.

#include <span>
#include <string>
#include <vector>

#include "results/report/collect/report_data.h"

namespace fbt::results {

// Colour and marker (plot/frame.h): 0 standard, 1 soft, 2 fused; other modes
// ("fused-2") take 3 … 6 by their place among the report's modes. 7 is for what
// is not a mode.
int mode_style(const ReportData& data, const std::string& mode);

// Names that tell the report's checkpoints apart: the name, with the start of the hash
// where two share one.
std::string checkpoint_label(const ReportData& data, const Checkpoint& checkpoint);

// Whether the task counts only as a part of a size-weighted group, as MMLU's subjects
// do: too many to be shown one by one beside the group.
bool is_part_of_group(const ReportData& data, const std::string& task);

// An id for a figure, from words that may hold anything.
std::string figure_id(std::string_view kind, std::size_t number);

// "53.1 [51.2, 55.0]", in per cent.
std::string percent_with_interval(double value, const Interval& interval);

}  // namespace fbt::results
