#pragma once

// How much memory this process may still take.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace fbt {

// Bytes: what the machine has available (MemAvailable), or less where a control
// group, this process's own or one above it, leaves less (version 1 and 2).
// `root` stands in for "/" in tests. Absent where the kernel does not say.
std::optional<std::int64_t> free_memory(const std::filesystem::path& root = "/");

}  // namespace fbt
