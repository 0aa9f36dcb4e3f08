#pragma once

// The browser's samples as the page's script reads them (page/samples.js):
// columns instead of objects, names by index, and each task's prompts without the
// start that all of them share.

#include <nlohmann/json_fwd.hpp>

#include "results/report/collect/report_data.h"

namespace fbt::results {

nlohmann::json sample_json(const ReportData& data);

}  // namespace fbt::results
