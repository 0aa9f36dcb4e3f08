#include "tasks/rows.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_lines.h"
#include "tasks/csv.h"
#include "tasks/json_list.h"

namespace fbt::tasks {
namespace {

using Json = nlohmann::ordered_json;
using UseValue = std::function<void(Json&& value, std::size_t line)>;

enum class Format { kJsonLines, kJson, kCsv, kTsv };

std::optional<Format> format_of(std::string_view file) {
  if (file.ends_with(".gz")) file.remove_suffix(3);
  if (file.ends_with(".jsonl")) return Format::kJsonLines;
  if (file.ends_with(".json")) return Format::kJson;
  if (file.ends_with(".csv")) return Format::kCsv;
  if (file.ends_with(".tsv")) return Format::kTsv;
  return std::nullopt;
}

std::vector<std::string> split_tabs(std::string_view text) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  std::vector<std::string> fields;
  while (true) {
    const std::size_t tab = text.find('\t');
    fields.emplace_back(text.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    text.remove_prefix(tab + 1);
  }
}

// Gives the fields of a table's records their columns' names.
class Table {
 public:
  Table(std::vector<std::string> columns, std::string name, const UseValue& use)
      : columns_(std::move(columns)), name_(std::move(name)), use_(use) {}

  void record(std::vector<std::string>&& fields, std::size_t line) {
    if (columns_.empty()) {
      columns_ = std::move(fields);
      return;
    }
    if (fields.size() != columns_.size()) {
      throw InputError(fmt::format("{}:{}: {} fields where {} are needed ({})", name_, line,
                                   fields.size(), columns_.size(), fmt::join(columns_, ", ")));
    }
    Json row = Json::object();
    for (std::size_t i = 0; i < fields.size(); ++i) row[columns_[i]] = std::move(fields[i]);
    use_(std::move(row), line);
  }

 private:
  std::vector<std::string> columns_;
  std::string name_;
  const UseValue& use_;
};

void for_each_value(const std::string& content, const RowFile& file, const std::string& name,
                    const UseValue& use) {
  Table table(file.columns, name, use);
  switch (*format_of(file.file)) {
    case Format::kJsonLines:
      for_each_line(content, [&](std::string_view text, std::size_t line) {
        use(parse_ordered_json(text, fmt::format("{}:{}", name, line)), line);
      });
      return;
    case Format::kJson:
      for_each_json_item(content, name, use);
      return;
    case Format::kCsv:
      for_each_csv_record(content, name, [&](std::vector<std::string>&& fields, std::size_t line) {
        table.record(std::move(fields), line);
      });
      return;
    case Format::kTsv:
      for_each_line(content, [&](std::string_view text, std::size_t line) {
        table.record(split_tabs(text), line);
      });
      return;
  }
}

std::vector<std::string> read_labels(const DataSource& data, const std::string& file) {
  std::vector<std::string> labels;
  for_each_line(data.read(file), [&](std::string_view text, std::size_t) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    labels.emplace_back(text);
  });
  return labels;
}

bool keeps(const RowFilter& filter, const Row& row) {
  const std::string text = filter.field.text(row);
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
    row.fail(filter.field.name(), "must be a whole number");
  }
  return value >= filter.from && value <= filter.to;
}

}  // namespace

void check_row_format(const std::string& file, const std::string& where) {
  if (format_of(file)) return;
  throw InputError(fmt::format(
      "{}: '{}' ends in none of .jsonl, .json, .csv, .tsv (or one of them and .gz)", where, file));
}

void for_each_row(const DataSource& data, const RowFile& file,
                  const std::function<void(const Row&)>& use) {
  const std::string name = data.display_name(file.file);
  const std::string content = data.read(file.file);
  std::vector<std::string> labels;
  if (file.labels) labels = read_labels(data, file.labels->file);
  std::size_t rows = 0;
  for_each_value(content, file, name, [&](Json&& value, std::size_t line) {
    if (!value.is_object()) throw InputError(fmt::format("{}:{} is not an object", name, line));
    if (file.labels) {
      if (rows >= labels.size()) {
        throw InputError(fmt::format("{}:{} has no label: {} holds only {}", name, line,
                                     data.display_name(file.labels->file), labels.size()));
      }
      value[file.labels->field] = std::move(labels[rows]);
    }
    ++rows;
    const Row row{value, name, line};
    if (!file.where || keeps(*file.where, row)) use(row);
  });
  if (file.labels && rows != labels.size()) {
    throw InputError(fmt::format("{} holds {} labels for the {} rows of {}",
                                 data.display_name(file.labels->file), labels.size(), rows, name));
  }
}

}  // namespace fbt::tasks
