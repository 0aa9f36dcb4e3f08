#pragma once

// A checkpoint as the results file knows it.

#include "harness/model/checkpoint.h"
#include "results/store/records.h"

namespace fbt::cli {

// Hashes all weights: seconds for gigabytes.
results::Checkpoint checkpoint_record(const Checkpoint& checkpoint);

}  // namespace fbt::cli
