#include "results/store/database.h"

#include <sqlite3.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::results {
namespace {

constexpr int kBusyTimeoutMs = 120'000;

int open_flags(Database::Access access) {
  switch (access) {
    case Database::Access::kReadOnly:
    case Database::Access::kImmutable:
      return SQLITE_OPEN_READONLY;
    case Database::Access::kReadWrite:
      return SQLITE_OPEN_READWRITE;
    case Database::Access::kCreate:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return SQLITE_OPEN_READONLY;
}

// A file: URI of the path, for the query parameters that only URIs take.
std::string uri_of(const std::string& path, bool immutable) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + (immutable ? "?immutable=1" : "");
}

}  // namespace

Database::Database(const std::filesystem::path& path, Access access) : path_(path.string()) {
  const std::string uri = uri_of(path_, access == Access::kImmutable);
  const int code =
      sqlite3_open_v2(uri.c_str(), &handle_, open_flags(access) | SQLITE_OPEN_URI, nullptr);
  if (code != SQLITE_OK) {
    const std::string why = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
    sqlite3_close_v2(handle_);
    throw InputError(fmt::format("cannot open {}: {}", path_, why));
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, kBusyTimeoutMs);
}

Database::~Database() {
  sqlite3_close_v2(handle_);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::query_int(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::query_text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.text(0) : std::string();
}

int Database::changes() const {
  return sqlite3_changes(handle_);
}

void Database::fail(int code) const {
  const std::string why = sqlite3_errmsg(handle_);
  switch (code & 0xFF) {
    case SQLITE_FULL:
      throw EnvironmentError(fmt::format(
          "cannot write {}: the disk is full; free some space and run again to continue", path_));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw EnvironmentError(
          fmt::format("{} stayed locked by another process for {} s; end that one and run again",
                      path_, kBusyTimeoutMs / 1000));
    case SQLITE_READONLY:
      throw InputError(fmt::format(
          "cannot write {}: it or its folder is read-only; choose another file with --db", path_));
    case SQLITE_CANTOPEN:
      throw InputError(fmt::format("cannot open {}: {}", path_, why));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw InputError(fmt::format(
          "{} is corrupt ({}); restore a copy, or choose another file with --db", path_, why));
    default:
      throw EnvironmentError(fmt::format("{}: SQLite: {}", path_, why));
  }
}

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &statement_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_, index, value);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  sqlite3_bind_double(statement_, index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.data() != nullptr ? text.data() : "";
  sqlite3_bind_text64(statement_, index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_blob(int index, std::span<const std::byte> bytes) {
  if (bytes.empty()) {
    sqlite3_bind_zeroblob(statement_, index, 0);
  } else {
    sqlite3_bind_blob64(statement_, index, bytes.data(), bytes.size(), SQLITE_STATIC);
  }
  return *this;
}

Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(statement_, index);
  return *this;
}

Statement& Statement::bind_row(int first, const Statement& row) {
  const int columns = std::min(sqlite3_column_count(row.statement_),
                               sqlite3_bind_parameter_count(statement_) - first + 1);
  for (int column = 0; column < columns; ++column) {
    sqlite3_bind_value(statement_, first + column, sqlite3_column_value(row.statement_, column));
  }
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(statement_);
  if (code != SQLITE_DONE) database_.fail(code);
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::span<const std::byte> Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  return {static_cast<const std::byte*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace fbt::results
