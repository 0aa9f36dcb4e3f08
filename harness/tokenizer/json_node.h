#pragma once

// A value of a tokenizer.json and where it stands there, so that every
// complaint names the file and the key: "tokenizer.json: model.vocab: …".

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace fbt::tokenizer {

// Points into a document that must outlive it. Getters throw InputError.
class JsonNode {
 public:
  JsonNode(const nlohmann::json& document, std::string path) : JsonNode(document, path, 0) {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& path() const { return path_; }

  // The member `key` of this object; missing or null is an error.
  JsonNode at(std::string_view key) const;
  // The same, or nothing where it is missing or null.
  std::optional<JsonNode> find(std::string_view key) const;
  // The elements of this array.
  std::size_t size() const;
  JsonNode at(std::size_t index) const;

  std::string text() const;
  bool flag() const;
  // A whole number from 0 to `most`.
  std::size_t number(std::size_t most) const;
  bool flag_or(std::string_view key, bool fallback) const;

  // "PATH: MESSAGE", as InputError.
  [[noreturn]] void fail(std::string_view message) const;
  // Refuses a kind that is not supported, naming it.
  [[noreturn]] void refuse(std::string_view kind) const;

 private:
  // Refuses values nested so deep that recursion over them could exhaust the stack.
  JsonNode(const nlohmann::json& value, std::string path, int depth);

  const nlohmann::json* value_;
  std::string path_;
  int depth_;
};

}  // namespace fbt::tokenizer
