#pragma once

// Where the public data sets come from (tasks/fetch/sources.json): each file's
// origin, what has to be done to it, and the SHA-256 and number of rows it must have.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fbt::tasks {

struct SourceFile {
  std::string file;                 // relative to the data folder
  std::vector<std::string> urls;    // several: their contents one after the other
  std::string conversion;           // see convert.h; empty: as it is
  std::string member;               // of a zip archive; empty: the whole download
  std::string sha256;               // of the (decompressed) result; empty: not known
  std::optional<int> rows;          // absent: a text
  std::vector<std::string> fields;  // without a hash: keys that every row of JSON Lines must have
};

struct DataSet {
  std::string name;  // the folder of its files
  std::string title;
  std::string licence;  // as its publisher states it
  std::vector<SourceFile> files;
};

// Throws InputError that names the key.
std::vector<DataSet> parse_sources(std::string_view json, const std::string& where);

// tasks/fetch/sources.json, which is part of the program.
std::string_view sources_json();

// The data sets of the built-in tasks.
std::vector<DataSet> built_in_sources();

// Those of `all` that `names` name, all where it is empty. Throws InputError for
// unknown names, with the nearest known ones.
std::vector<DataSet> select_data_sets(const std::vector<DataSet>& all,
                                      const std::vector<std::string>& names);

}  // namespace fbt::tasks
