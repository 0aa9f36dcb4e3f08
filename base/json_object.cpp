#include "base/json_object.h"

#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt {
namespace {

template <typename T, typename Is>
std::vector<T> list_of(const JsonObject& object, const std::string& key,
                       const JsonObject::Json& value, Is is, const char* expected) {
  if (!value.is_array()) object.fail(key, fmt::format("must be a list of {}", expected));
  std::vector<T> list;
  for (const JsonObject::Json& item : value) {
    if (!(item.*is)()) object.fail(key, fmt::format("must be a list of {}", expected));
    list.push_back(item.get<T>());
  }
  return list;
}

}  // namespace

JsonObject::JsonObject(const Json& value, std::string where)
    : value_(&value), where_(std::move(where)) {
  if (!value.is_object()) throw InputError(where_ + " must be a JSON object");
}

const JsonObject::Json* JsonObject::find(const std::string& key) {
  asked_.insert(key);
  const auto found = value_->find(key);
  return found == value_->end() || found->is_null() ? nullptr : &*found;
}

bool JsonObject::has(const std::string& key) {
  return find(key) != nullptr;
}

bool JsonObject::is_null(const std::string& key) {
  asked_.insert(key);
  const auto found = value_->find(key);
  return found != value_->end() && found->is_null();
}

const JsonObject::Json& JsonObject::value(const std::string& key) {
  const Json* found = find(key);
  if (!found) fail(key, "is missing");
  return *found;
}

std::string JsonObject::text(const std::string& key) {
  const Json& found = value(key);
  if (!found.is_string()) fail(key, "must be a string");
  return found.get<std::string>();
}

std::string JsonObject::text(const std::string& key, const std::string& fallback) {
  return has(key) ? text(key) : fallback;
}

int JsonObject::integer(const std::string& key) {
  const Json& found = value(key);
  if (!found.is_number_integer() || found < 0 || found > 1'000'000'000) {
    fail(key, "must be a whole number, 0 or more");
  }
  return found.get<int>();
}

int JsonObject::integer(const std::string& key, int fallback) {
  return has(key) ? integer(key) : fallback;
}

bool JsonObject::boolean(const std::string& key, bool fallback) {
  if (!has(key)) return fallback;
  const Json& found = value(key);
  if (!found.is_boolean()) fail(key, "must be true or false");
  return found.get<bool>();
}

std::vector<std::string> JsonObject::texts(const std::string& key) {
  return list_of<std::string>(*this, key, value(key), &Json::is_string, "strings");
}

std::vector<std::string> JsonObject::texts(const std::string& key,
                                           const std::vector<std::string>& fallback) {
  return has(key) ? texts(key) : fallback;
}

double JsonObject::number(const std::string& key) {
  const Json& found = value(key);
  if (!found.is_number()) fail(key, "must be a number");
  return found.get<double>();
}

std::vector<double> JsonObject::numbers(const std::string& key) {
  return list_of<double>(*this, key, value(key), &Json::is_number, "numbers");
}

JsonObject JsonObject::object(const std::string& key) {
  return JsonObject(value(key), fmt::format("{}: '{}'", where_, key));
}

std::vector<JsonObject> JsonObject::objects(const std::string& key) {
  const Json& found = value(key);
  if (!found.is_array()) fail(key, "must be a list of objects");
  std::vector<JsonObject> list;
  for (std::size_t i = 0; i < found.size(); ++i) {
    list.emplace_back(found[i], fmt::format("{}: '{}' item {}", where_, key, i + 1));
  }
  return list;
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  for (const auto& item : value_->items()) names.push_back(item.key());
  return names;
}

void JsonObject::finish() const {
  for (const std::string& key : keys()) {
    if (asked_.contains(key)) continue;
    throw InputError(fmt::format("{}: {}", where_,
                                 unknown_name_message("key", key, {asked_.begin(), asked_.end()})));
  }
}

void JsonObject::fail(const std::string& key, const std::string& problem) const {
  throw InputError(fmt::format("{}: key '{}' {}", where_, key, problem));
}

}  // namespace fbt
