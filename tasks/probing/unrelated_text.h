#pragma once

// Sentences that have nothing to do with what is asked, for the delay between a
// fact and its recall.

#include <string>

#include "tasks/synthetic/draw.h"

namespace fbt::tasks::probing {

// " The miller counts apples by the bridge." One of 1,728, with a leading space.
std::string unrelated_sentence(synthetic::Draw& draw);

}  // namespace fbt::tasks::probing
