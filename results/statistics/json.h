#pragma once

// Statistics as JSON, one form for every command.

#include <nlohmann/json.hpp>

#include "results/statistics/paired.h"

namespace fbt::results {

nlohmann::json interval_json(const Interval& interval);
nlohmann::json estimate_json(const Estimate& estimate);
nlohmann::json paired_json(const PairedComparison& comparison);
nlohmann::json ratio_json(const PairedRatio& ratio);
// null where there is none.
nlohmann::json optional_json(const std::optional<double>& value);
nlohmann::json optional_json(const std::optional<PairedRatio>& ratio);

}  // namespace fbt::results
