#pragma once

// The tables and views of the results file and their versions (user_version).

namespace fbt::results {

class Database;

// The version this program writes.
int schema_version();

// Throws InputError where `version` is newer than this program's.
void refuse_newer_schema(int version, const char* path);

// Brings an empty file or one of an older version forward, in one transaction;
// does nothing to a current one. Many processes may call it at once. Throws
// InputError for a newer version, before writing anything.
void migrate(Database& database, const char* path);

// For tests: as migrate(), but stops at `version`.
void migrate_to(Database& database, const char* path, int version);

}  // namespace fbt::results
