#pragma once

// The rows of a data set's files, whatever their format. The ending of the name
// decides: .jsonl (one object a line), .json (a list of objects), .csv (RFC
// 4180), .tsv (tabs, no quoting); .gz of each.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tasks/data_source.h"
#include "tasks/field_path.h"

namespace fbt::tasks {

// Keeps the rows whose field holds a whole number from `from` to `to`.
struct RowFilter {
  FieldPath field;
  int from = 0;
  int to = 0;
};

// A file with one label a line, in the order of the rows, put into a field of its own.
struct LabelFile {
  std::string file;
  std::string field;
};

struct RowFile {
  std::string file;                  // relative to the data folder
  std::vector<std::string> columns;  // of CSV and TSV without a header line
  std::optional<LabelFile> labels;
  std::optional<RowFilter> where;
};

// Calls `use` for each row in order; the row lives only during the call. Throws
// InputError with the file, the line and the field for what is malformed.
void for_each_row(const DataSource& data, const RowFile& file,
                  const std::function<void(const Row&)>& use);

// Throws InputError, opening with `where`, for an ending that is not known.
void check_row_format(const std::string& file, const std::string& where);

}  // namespace fbt::tasks
