#pragma once

// One URL into one file, resumable.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace fbt::tasks {

// Bytes that have arrived, and the whole number where the server tells it (else 0).
using DownloadProgress = std::function<void(std::uint64_t arrived, std::uint64_t total)>;

// Downloads `url` (http or https) to `path`, whose folder exists. What arrives is
// kept in PATH.part: a broken connection is taken up again where it broke, at
// once for a few times, then by the next call. `path` appears only when it is
// whole. Throws EnvironmentError: not found, no connection, disk full.
void download(const std::string& url, const std::filesystem::path& path,
              const DownloadProgress& progress);

}  // namespace fbt::tasks
