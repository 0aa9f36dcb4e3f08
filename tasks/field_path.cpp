#include "tasks/field_path.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tasks {
namespace {

using Json = nlohmann::ordered_json;

std::string scalar_text(const Row& row, const std::string& field, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  row.fail(field,
           fmt::format("must be text, a whole number or true/false, but is {}", value.type_name()));
}

}  // namespace

void Row::fail(std::string_view field, std::string_view problem) const {
  throw InputError(fmt::format("{}:{}: field '{}' {}", file, line, field, problem));
}

FieldPath::FieldPath(std::string_view path, std::string_view where) : name_(path) {
  const auto malformed = [&] {
    throw InputError(
        fmt::format("{}: '{}' is not a path (as question.stem, choices[0], "
                    "choices[].text or targets.keys())",
                    where, path));
  };
  while (true) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    std::string_view part = path.substr(0, dot);
    if (part == "keys()" || part == "values()") {
      steps_.push_back({part == "keys()" ? Kind::kKeys : Kind::kValues, "", 0});
    } else {
      const std::size_t bracket = std::min(part.find('['), part.size());
      const std::string_view key = part.substr(0, bracket);
      const bool valid = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-' || c == ' ';
      });
      if (!valid) malformed();
      steps_.push_back({Kind::kKey, std::string(key), 0});
      part.remove_prefix(bracket);
      if (part == "[]") {
        steps_.push_back({Kind::kEach, "", 0});
      } else if (!part.empty()) {
        std::size_t item = 0;
        const char* end = part.data() + part.size() - 1;
        const auto parsed = std::from_chars(part.data() + 1, end, item);
        if (part.back() != ']' || parsed.ec != std::errc() || parsed.ptr != end) malformed();
        steps_.push_back({Kind::kItem, "", item});
      }
    }
    if (dot == path.size()) break;
    path.remove_prefix(dot + 1);
  }
  const auto lists = std::count_if(steps_.begin(), steps_.end(), [](const Step& step) {
    return step.kind != Kind::kKey && step.kind != Kind::kItem;
  });
  if (lists > 1) malformed();
}

bool FieldPath::is_list() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
    return step.kind != Kind::kKey && step.kind != Kind::kItem;
  });
}

const Json& FieldPath::descend(const Row& row, const Json& value, const Step& step) const {
  if (step.kind == Kind::kKey) {
    if (!value.is_object()) row.fail(name_, "is missing");
    const auto found = value.find(step.key);
    if (found == value.end()) row.fail(name_, "is missing");
    return *found;
  }
  if (!value.is_array() || step.item >= value.size()) {
    row.fail(name_, fmt::format("has no item {}", step.item));
  }
  return value[step.item];
}

std::string FieldPath::text(const Row& row) const {
  const Json* value = &row.value;
  for (const Step& step : steps_) value = &descend(row, *value, step);
  return scalar_text(row, name_, *value);
}

std::vector<std::string> FieldPath::texts(const Row& row) const {
  const Json* value = &row.value;
  std::size_t i = 0;
  for (; i < steps_.size(); ++i) {
    if (steps_[i].kind != Kind::kKey && steps_[i].kind != Kind::kItem) break;
    value = &descend(row, *value, steps_[i]);
  }
  const Kind kind = i < steps_.size() ? steps_[i].kind : Kind::kEach;
  if (kind == Kind::kEach ? !value->is_array() : !value->is_object()) {
    row.fail(name_, kind == Kind::kEach ? "must be a list" : "must be an object");
  }
  std::vector<std::string> list;
  for (const auto& item : value->items()) {
    if (kind == Kind::kKeys) {
      list.push_back(item.key());
      continue;
    }
    const Json* inner = &item.value();
    for (std::size_t j = i + 1; j < steps_.size(); ++j) inner = &descend(row, *inner, steps_[j]);
    list.push_back(scalar_text(row, name_, *inner));
  }
  return list;
}

}  // namespace fbt::tasks
