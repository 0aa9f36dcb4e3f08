#pragma once

// Which examples stand before which document.

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/definition.h"
#include "tasks/example.h"

namespace fbt::tasks {

// Indices into `pool` for every document, in order of display. With the random
// sampler each document draws shots + extra examples from one Random(1234) after
// the documents before it; of these, ones that are the document itself go (only
// where extra > 0), then those beyond `shots`. Precondition: the pool holds
// shots + extra examples or more.
std::vector<std::vector<std::uint32_t>> plan_few_shot(const FewShotDefinition& definition,
                                                      int shots, std::span<const Example> documents,
                                                      std::span<const FewShotExample> pool);

}  // namespace fbt::tasks
