#pragma once

// What can be said about a results file before SQLite touches it.

#include <cstdint>
#include <filesystem>

namespace fbt::results {

// In the SQLite header of every results file ("FBTE").
inline constexpr std::uint32_t kApplicationId = 0x46425445;

enum class FileState {
  kAbsent,
  kEmpty,  // no bytes: a writer was stopped before its first
  kOurs,
};

// Throws InputError for files that are not SQLite's, are SQLite's but not ours,
// or are shorter than their header says. Only reads.
FileState check_results_file(const std::filesystem::path& path);

}  // namespace fbt::results
