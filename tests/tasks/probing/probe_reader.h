#pragma once

// Reads generated probe texts back: the slow, obvious way to their labels.

#include <cstddef>
#include <string>
#include <string_view>

namespace fbt::tasks::probing {

// Whether the log's counters are equal: counts its lines.
int completion_label(std::string_view text);
// The bit that the first sentence says.
int recall_label(std::string_view text);
// The value that the queried register was given last.
int register_label(std::string_view text);

// Runs of letters, runs of digits, and every other character but a space.
std::size_t count_simple_tokens(std::string_view text);

}  // namespace fbt::tasks::probing
