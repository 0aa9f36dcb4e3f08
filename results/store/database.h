#pragma once

// A thin, exception-safe face of SQLite's C interface. Failures become one-line
// errors that name the file: EnvironmentError for the machine's faults (disk
// full, input/output, locked for too long), InputError for the file's (corrupt,
// not a database, read-only).

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace fbt::results {

class Database {
 public:
  enum class Access {
    kReadOnly,
    kImmutable,  // read-only, and nobody else writes: needs no write-ahead log
    kReadWrite,
    kCreate,
  };

  Database(const std::filesystem::path& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs any number of statements without results.
  void execute(const std::string& sql);
  // First column of the first row; 0 or empty without rows.
  std::int64_t query_int(const std::string& sql);
  std::string query_text(const std::string& sql);

  // Rows changed by the last statement.
  int changes() const;

  // Throws the error that SQLite's result `code` stands for.
  [[noreturn]] void fail(int code) const;

  sqlite3* handle() const { return handle_; }

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Bytes and text are not copied: they must live until the next step.
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, int value) { return bind(index, static_cast<std::int64_t>(value)); }
  Statement& bind(int index, double value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::span<const std::byte> bytes);
  Statement& bind_null(int index);
  // The columns of `row`'s current row, to `first`, `first` + 1, …: copied.
  // Columns beyond the statement's parameters are left out.
  Statement& bind_row(int first, const Statement& row);

  // Advances to the next row; false when there is none (and the statement is
  // ready to be bound and run again).
  bool step();
  // Runs a statement that has no rows.
  void run();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::span<const std::byte> blob(int column) const;  // valid until the next step

 private:
  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

// BEGIN IMMEDIATE … COMMIT, so that writers queue up instead of failing half
// way. Rolls back if it is destroyed without commit().
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace fbt::results
