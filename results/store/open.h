#pragma once

// Opening a results file: refuse first, write later.

#include <filesystem>
#include <memory>

#include "results/store/database.h"

namespace fbt::results {

// Both check the header and the whole structure (SQLite's quick_check) through
// a read-only connection before a connection that may write is made.

// Makes the file where there is none. Throws InputError, EnvironmentError.
std::unique_ptr<Database> open_for_writing(const std::filesystem::path& path);

// The file must exist. Works on read-only files and folders too.
std::unique_ptr<Database> open_for_reading(const std::filesystem::path& path);

}  // namespace fbt::results
