#pragma once

// Reads the keys of a JSON object of a fixed shape (a task's definition, a
// policy): every missing, mistyped or unknown key is an InputError that names
// the file and the key, with the nearest known name.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace fbt {

class JsonObject {
 public:
  using Json = nlohmann::ordered_json;

  // `where` opens every message: the file, and the path of keys to this object.
  // `value` must outlive this object. Throws unless it is a JSON object.
  JsonObject(const Json& value, std::string where);

  // Absent and null are the same, except to is_null().
  bool has(const std::string& key);
  bool is_null(const std::string& key);

  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& fallback);
  int integer(const std::string& key);
  int integer(const std::string& key, int fallback);
  bool boolean(const std::string& key, bool fallback);
  std::vector<std::string> texts(const std::string& key);
  std::vector<std::string> texts(const std::string& key, const std::vector<std::string>& fallback);
  double number(const std::string& key);
  std::vector<double> numbers(const std::string& key);
  JsonObject object(const std::string& key);
  std::vector<JsonObject> objects(const std::string& key);
  // The value as it is. Throws where it is missing.
  const Json& value(const std::string& key);

  // Every key of the object, in the order of the file.
  std::vector<std::string> keys() const;

  // Throws where the object holds a key that was never asked for.
  void finish() const;

  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;
  const std::string& where() const { return where_; }

 private:
  const Json* find(const std::string& key);

  const Json* value_;
  std::string where_;
  std::set<std::string> asked_;
};

}  // namespace fbt
