#include "harness/train/training_log.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <string>

#include "base/error.h"

namespace fbt::train {
namespace {

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS training_steps(step INTEGER PRIMARY KEY, tokens INTEGER,"
    " passes INTEGER, loss REAL, last_pass_loss REAL, gradient_norm REAL, state_norm REAL,"
    " learning_rate_factor REAL, tokens_per_second REAL)";

}  // namespace

struct TrainingLog::Impl {
  std::string path;
  sqlite3* database = nullptr;
  sqlite3_stmt* insert = nullptr;

  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE) return;
    throw EnvironmentError(
        fmt::format("training log {}: {}; free space or choose another --out", path,
                    database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code)));
  }
  void execute(const std::string& sql) const {
    check(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr));
  }
  ~Impl() {
    sqlite3_finalize(insert);
    sqlite3_close(database);
  }
};

TrainingLog::TrainingLog(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path.string();
  impl_->check(sqlite3_open(impl_->path.c_str(), &impl_->database));
  impl_->execute("PRAGMA journal_mode=WAL");
  impl_->execute("PRAGMA synchronous=NORMAL");
  impl_->execute(kSchema);
  impl_->check(sqlite3_prepare_v2(impl_->database,
                                  "INSERT OR REPLACE INTO training_steps VALUES(?,?,?,?,?,?,?,?,?)",
                                  -1, &impl_->insert, nullptr));
}

TrainingLog::~TrainingLog() = default;

void TrainingLog::truncate(std::int64_t first) {
  impl_->execute(fmt::format("DELETE FROM training_steps WHERE step >= {}", first));
}

void TrainingLog::append(const StepRecord& record) {
  sqlite3_stmt* insert = impl_->insert;
  sqlite3_reset(insert);
  sqlite3_bind_int64(insert, 1, record.step);
  sqlite3_bind_int64(insert, 2, record.tokens);
  sqlite3_bind_int(insert, 3, record.passes);
  int column = 4;
  for (const double value :
       {record.loss, record.last_pass_loss, record.gradient_norm, record.state_norm,
        record.learning_rate_factor, record.tokens_per_second}) {
    sqlite3_bind_double(insert, column++, value);
  }
  impl_->check(sqlite3_step(insert));
}

}  // namespace fbt::train
