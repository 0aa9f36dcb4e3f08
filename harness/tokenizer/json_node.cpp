#include "harness/tokenizer/json_node.h"

#include <cstdint>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tokenizer {
namespace {

constexpr int kDeepest = 32;

}  // namespace

JsonNode::JsonNode(const nlohmann::json& value, std::string path, int depth)
    : value_(&value), path_(std::move(path)), depth_(depth) {
  if (depth > kDeepest) fail("is nested too deeply");
}

JsonNode JsonNode::at(std::string_view key) const {
  if (auto member = find(key)) return *member;
  fail(fmt::format("'{}' is missing", key));
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  if (!value_->is_object()) fail("should be an object");
  const auto member = value_->find(key);
  if (member == value_->end() || member->is_null()) return std::nullopt;
  const char* separator = path_.ends_with(": ") ? "" : ".";
  return JsonNode(*member, fmt::format("{}{}{}", path_, separator, key), depth_ + 1);
}

std::size_t JsonNode::size() const {
  if (!value_->is_array()) fail("should be an array");
  return value_->size();
}

JsonNode JsonNode::at(std::size_t index) const {
  return JsonNode((*value_)[index], fmt::format("{}[{}]", path_, index), depth_ + 1);
}

std::string JsonNode::text() const {
  if (!value_->is_string()) fail("should be a string");
  return value_->get<std::string>();
}

bool JsonNode::flag() const {
  if (!value_->is_boolean()) fail("should be true or false");
  return value_->get<bool>();
}

std::size_t JsonNode::number(std::size_t most) const {
  if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > most) {
    fail(fmt::format("should be a whole number from 0 to {}", most));
  }
  return value_->get<std::size_t>();
}

bool JsonNode::flag_or(std::string_view key, bool fallback) const {
  const auto member = find(key);
  return member ? member->flag() : fallback;
}

void JsonNode::fail(std::string_view message) const {
  const char* separator = path_.ends_with(": ") ? "" : ": ";
  throw InputError(fmt::format("{}{}{}", path_, separator, message));
}

void JsonNode::refuse(std::string_view kind) const {
  fail(
      fmt::format("'{}' is not supported; convert the tokenizer to what "
                  "docs/tokenizer.md lists",
                  kind));
}

}  // namespace fbt::tokenizer
