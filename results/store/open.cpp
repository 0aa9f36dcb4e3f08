#include "results/store/open.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "results/store/file_check.h"
#include "results/store/schema.h"

namespace fbt::results {
namespace {

bool is_writable(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  // The log lies beside the file, so the folder counts as well.
  return ::access(path.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
}

// Whether the file that SQLite keeps beside it under this suffix holds anything.
bool has_beside(const std::filesystem::path& path, const char* suffix) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path.string() + suffix, error);
  return !error && size > 0;
}

// A writer killed in its very first transactions, before the log is in use, leaves a
// journal that only a connection that may write can undo them from.
void undo_interrupted(const std::filesystem::path& path) {
  if (!has_beside(path, "-journal") || !std::filesystem::exists(path) || !is_writable(path)) return;
  Database(path, Database::Access::kReadWrite).query_int("PRAGMA user_version");
}

// A connection that cannot write to the file. Where the folder is read-only as
// well, SQLite can only read a file that nobody has open: immutable.
std::unique_ptr<Database> open_read_only(const std::filesystem::path& path) {
  const bool immutable = !is_writable(path) && !has_beside(path, "-wal");
  return std::make_unique<Database>(
      path, immutable ? Database::Access::kImmutable : Database::Access::kReadOnly);
}

// Throws for a newer schema or a damaged file; returns the schema's version.
int check(Database& database, const std::filesystem::path& path) {
  const auto version = static_cast<int>(database.query_int("PRAGMA user_version"));
  refuse_newer_schema(version, path.c_str());
  std::string verdict = database.query_text("PRAGMA quick_check(1)");
  // A file whose first transaction is not there yet has no tables to check.
  if (verdict != "ok" && !verdict.empty()) {
    std::replace(verdict.begin(), verdict.end(), '\n', ' ');
    throw InputError(
        fmt::format("{} is corrupt ({}); restore a copy, or choose another file with --db",
                    path.string(), verdict));
  }
  return version;
}

std::unique_ptr<Database> open_read_write(const std::filesystem::path& path,
                                          Database::Access access) {
  auto database = std::make_unique<Database>(path, access);
  migrate(*database, path.c_str());
  // The log makes readers and a writer independent; FULL flushes it to the disk
  // at each commit.
  database->query_text("PRAGMA journal_mode = WAL");
  database->execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  return database;
}

}  // namespace

std::unique_ptr<Database> open_for_writing(const std::filesystem::path& path) {
  undo_interrupted(path);
  if (check_results_file(path) != FileState::kOurs) {
    const std::filesystem::path folder = path.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder)) {
      throw InputError(
          fmt::format("cannot make {}: there is no folder {}", path.string(), folder.string()));
    }
    return open_read_write(path, Database::Access::kCreate);
  }
  check(*open_read_only(path), path);
  if (!is_writable(path)) {
    throw InputError(
        fmt::format("cannot write {}: it or its folder is read-only; choose another file with --db",
                    path.string()));
  }
  return open_read_write(path, Database::Access::kReadWrite);
}

std::unique_ptr<Database> open_for_reading(const std::filesystem::path& path) {
  undo_interrupted(path);
  if (check_results_file(path) != FileState::kOurs) {
    throw InputError(fmt::format("there are no results in {}: run an evaluation with --db {}",
                                 path.string(), path.string()));
  }
  auto read_only = open_read_only(path);
  const int version = check(*read_only, path);
  if (!is_writable(path)) {
    if (version < schema_version()) {
      throw InputError(fmt::format(
          "{} has schema version {} and cannot be brought to {} because it is read-only; copy it "
          "to a folder you may write to",
          path.string(), version, schema_version()));
    }
    return read_only;
  }
  // A connection that could write tidies the log away when it closes.
  read_only.reset();
  auto database = std::make_unique<Database>(path, Database::Access::kReadWrite);
  migrate(*database, path.c_str());
  database->execute("PRAGMA query_only = ON");
  return database;
}

}  // namespace fbt::results
