#pragma once

// Brings data sets into a data folder, and checks those that are there.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tasks/fetch/sources.h"

namespace fbt::tasks {

struct FetchOptions {
  std::filesystem::path folder;
  // Not empty: "https://HOST/PATH" is asked for as MIRROR/HOST/PATH.
  std::string mirror;
  // Called while `file` arrives. May be empty.
  std::function<void(const std::string& file, std::uint64_t arrived, std::uint64_t total)> progress;
};

// Brings the files of `set` that are not there as they should be, and returns
// their number. A file appears under its name only when it is whole, converted
// and has the hash (or, where none is known, the rows) it must have. Downloads
// wait in FOLDER/.fetch until then. Throws EnvironmentError.
int fetch_data_set(const DataSet& set, const FetchOptions& options);

enum class FileState {
  kVerified,      // the SHA-256 is right
  kRowsVerified,  // no hash is known; the number of rows is right
  kMissing,
  kDiffers,
};

struct VerifiedFile {
  std::string file;
  FileState state = FileState::kMissing;
  std::string detail;  // what differs, in words
};

// FILE.gz stands for FILE; its content is what counts.
std::vector<VerifiedFile> verify_data_set(const DataSet& set, const std::filesystem::path& folder);

}  // namespace fbt::tasks
