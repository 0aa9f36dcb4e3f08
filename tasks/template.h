#pragma once

// The notation in which definitions say how a row becomes text:
//
//   Question: {{question.stem|strip}}\nAnswer:
//
// {{PATH|TRANSFORM|…}} is replaced by the row's field (see field_path.h);
// {{$NAME|…}} by a constant of the definition (a variable of its family, or a
// text file that it names). Everything else stands for itself.
//
// Transforms:
//   strip          without white space at both ends (as Python's str.strip)
//   lower_first    the first letter in lower case
//   drop_last      without the last character
//   spaces         every underscore becomes a space
//   before:TEXT    what stands before the first TEXT
//   after:TEXT     what stands after the first TEXT
//   map:NAME       looked up in the definition's map NAME

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tasks/field_path.h"

namespace fbt::tasks {

// What a definition's templates may refer to beside the row's fields.
struct TemplateScope {
  std::map<std::string, std::string> constants;                    // $NAME
  std::map<std::string, std::map<std::string, std::string>> maps;  // map:NAME
};

class Template {
 public:
  Template() = default;
  // Throws InputError that opens with `where` for malformed notation and unknown names.
  Template(std::string_view text, const TemplateScope& scope, std::string_view where);

  // Throws InputError with the row's file, line and field.
  std::string render(const Row& row) const;

  // The paths of the fields that it renders, for messages: "a, b.c".
  std::string field_names() const;

  // A template of constants only. Throws InputError, opening with `where`, where
  // it names a field.
  static std::string constant(std::string_view text, const TemplateScope& scope,
                              std::string_view where);

 private:
  enum class Transform { kStrip, kLowerFirst, kDropLast, kSpaces, kBefore, kAfter, kMap };
  struct Step {
    Transform transform;
    std::string argument;                    // kBefore, kAfter
    std::map<std::string, std::string> map;  // kMap
  };
  struct Field {
    FieldPath path;
    std::vector<Step> steps;
  };

  static Step parse_step(std::string_view text, const TemplateScope& scope, std::string_view where);
  // Sets `problem` where the step cannot be done.
  static std::string apply(const Step& step, std::string text, std::string& problem);

  std::vector<std::variant<std::string, Field>> pieces_;
};

// As Python's str.strip().
std::string_view strip_white_space(std::string_view text);

}  // namespace fbt::tasks
