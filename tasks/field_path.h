#pragma once

// One row of a data file, and paths to the values in it:
//
//   question              a key
//   question.stem         a key of an object
//   test_list[0]          an item of a list
//   choices[].text        of every item of a list (a list of texts)
//   targets.keys()        the keys of an object in the file's order (a list)
//   targets.values()      its values (a list)

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace fbt::tasks {

struct Row {
  const nlohmann::ordered_json& value;
  std::string_view file;  // for messages
  std::size_t line = 0;

  // Throws InputError: "FILE:LINE: field 'FIELD' PROBLEM".
  [[noreturn]] void fail(std::string_view field, std::string_view problem) const;
};

class FieldPath {
 public:
  FieldPath() = default;
  // Throws InputError that opens with `where` for a malformed path.
  FieldPath(std::string_view path, std::string_view where);

  bool is_list() const;

  // The value as text: a string as it is, a whole number in decimal, a boolean
  // as true or false. Precondition: !is_list(). Throws InputError with the row's
  // file, line and the path for a missing or other value.
  std::string text(const Row& row) const;

  // Of every value of a list path, or of every item of the list that a plain path names.
  std::vector<std::string> texts(const Row& row) const;

  const std::string& name() const { return name_; }

 private:
  enum class Kind { kKey, kItem, kEach, kKeys, kValues };
  struct Step {
    Kind kind;
    std::string key;       // kKey
    std::size_t item = 0;  // kItem
  };

  const nlohmann::ordered_json& descend(const Row& row, const nlohmann::ordered_json& value,
                                        const Step& step) const;

  std::string name_;
  std::vector<Step> steps_;
};

}  // namespace fbt::tasks
