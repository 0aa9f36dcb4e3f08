#pragma once

// What the generators make of their options.

#include <string_view>

#include "tasks/probing/probe_dataset.h"
#include "tasks/synthetic/draw.h"

namespace fbt::tasks::probing {

// `asked` where it is above zero, `published` where it is zero. Throws
// InputError naming the task for less.
int group_count(int asked, int published, std::string_view task);

// Throws InputError for none and for negative ones.
void check_idle_updates(const std::vector<int>& idle_updates, std::string_view task);

// The random choices of a group of a task: the same for the same seed.
synthetic::Draw group_draw(std::uint64_t seed, std::string_view task, int group);

}  // namespace fbt::tasks::probing
