#pragma once

// Records as JSON, one form for every command.

#include <nlohmann/json.hpp>

#include "results/store/records.h"

namespace fbt::results {

nlohmann::json checkpoint_json(const Checkpoint& checkpoint);

}  // namespace fbt::results
