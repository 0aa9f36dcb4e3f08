#include "tasks/csv.h"

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tasks {
namespace {

// Reads records one after the other.
class CsvReader {
 public:
  CsvReader(std::string_view content, std::string_view name) : content_(content), name_(name) {}

  bool at_end() const { return at_ == content_.size(); }
  std::size_t line() const { return line_; }

  std::vector<std::string> record() {
    std::vector<std::string> fields;
    do {
      fields.push_back(peek() == '"' ? quoted() : bare());
    } while (take(','));
    take('\r');
    if (take('\n')) ++line_;
    return fields;
  }

 private:
  char peek() const { return at_end() ? '\0' : content_[at_]; }

  bool take(char c) {
    if (at_end() || content_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool at_line_end() const {
    const std::string_view rest = content_.substr(at_);
    return rest.empty() || rest.front() == '\n' || rest.starts_with("\r\n");
  }

  std::string bare() {
    const std::size_t begin = at_;
    while (!at_line_end() && content_[at_] != ',') ++at_;
    return std::string(content_.substr(begin, at_ - begin));
  }

  std::string quoted() {
    const std::size_t opened = line_;
    take('"');
    std::string field;
    while (true) {
      if (at_end()) {
        throw InputError(
            fmt::format("{}:{}: a quote is opened here and never closed", name_, opened));
      }
      const char c = content_[at_++];
      if (c == '"' && !take('"')) break;
      if (c == '\n') ++line_;
      field += c;
    }
    if (!at_line_end() && content_[at_] != ',') {
      throw InputError(fmt::format(
          "{}:{}: text after a closing quote; a quote inside a quoted field is written twice",
          name_, line_));
    }
    return field;
  }

  std::string_view content_;
  std::string_view name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

void for_each_csv_record(
    std::string_view content, std::string_view name,
    const std::function<void(std::vector<std::string>&& fields, std::size_t line)>& use) {
  CsvReader reader(content, name);
  while (!reader.at_end()) {
    const std::size_t line = reader.line();
    std::vector<std::string> fields = reader.record();
    if (fields.size() > 1 || !fields[0].empty()) use(std::move(fields), line);
  }
}

}  // namespace fbt::tasks
