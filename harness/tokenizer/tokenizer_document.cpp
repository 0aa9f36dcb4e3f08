#include "harness/tokenizer/tokenizer_document.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tokenizer {
namespace {

using nlohmann::json;

// Receives the parser's events. Where it is decides what they mean.
class DocumentHandler : public nlohmann::json_sax<json> {
 public:
  explicit DocumentHandler(std::string_view name) : name_(name) {}

  TokenizerDocument take() { return std::move(document_); }

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
  bool binary(binary_t&) override { return false; }  // no part of JSON text

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ != Place::kVocabulary) return scalar(value);
    if (value > static_cast<std::uint64_t>(Vocabulary::kLargestId)) refuse_id();
    document_.vocabulary.push_back({std::move(key_), static_cast<int>(value)});
    return true;
  }

  bool string(string_t& value) override {
    if (place_ == Place::kMergeParts) {
      merge_parts_.push_back(std::move(value));
    } else if (place_ == Place::kMerges) {
      add_merge(value);
    } else {
      return scalar(std::move(value));
    }
    return true;
  }

  bool key(string_t& key) override {
    key_ = std::move(key);
    return true;
  }

  bool start_object(std::size_t) override {
    refuse_in_tables();
    if (in_model("vocab")) {
      insert(nullptr);
      document_.vocabulary.clear();
      place_ = Place::kVocabulary;
    } else {
      open(json::object());
    }
    return true;
  }

  bool end_object() override {
    if (place_ == Place::kVocabulary) {
      place_ = Place::kDocument;
    } else {
      open_.pop_back();
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::kMerges) {
      merge_parts_.clear();
      place_ = Place::kMergeParts;
      return true;
    }
    refuse_in_tables();
    if (in_model("merges")) {
      insert(nullptr);
      document_.merges.clear();
      place_ = Place::kMerges;
    } else {
      open(json::array());
    }
    return true;
  }

  bool end_array() override {
    if (place_ == Place::kMergeParts) {
      if (merge_parts_.size() != 2) refuse_merge();
      document_.merges.push_back({std::move(merge_parts_[0]), std::move(merge_parts_[1])});
      place_ = Place::kMerges;
    } else if (place_ == Place::kMerges) {
      place_ = Place::kDocument;
    } else {
      open_.pop_back();
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const json::out_of_range*>(&error) != nullptr) {
      throw InputError(fmt::format("{} holds a number too large to represent", name_));
    }
    throw InputError(fmt::format("{} is not valid JSON (at byte {})", name_, position));
  }

 private:
  enum class Place { kDocument, kVocabulary, kMerges, kMergeParts };
  struct Container {
    json* value;
    std::string key;  // under which it stands
  };

  [[noreturn]] void refuse_id() const {
    throw InputError(
        fmt::format("{}: model.vocab: the id of '{}' should be a whole number from 0 to {}", name_,
                    key_, Vocabulary::kLargestId));
  }

  [[noreturn]] void refuse_merge() const {
    throw InputError(
        fmt::format("{}: model.merges: merge {} should be two tokens, as \"a b\" or "
                    "[\"a\", \"b\"]",
                    name_, document_.merges.size()));
  }

  // Neither table holds what was just found.
  void refuse_in_tables() const {
    if (place_ == Place::kVocabulary) refuse_id();
    if (place_ != Place::kDocument) refuse_merge();
  }

  bool scalar(json value) {
    refuse_in_tables();
    insert(std::move(value));
    return true;
  }

  // Whether the value to come is model.KEY.
  bool in_model(std::string_view key) const {
    return open_.size() == 2 && open_[1].key == "model" && open_[1].value->is_object() &&
           key_ == key;
  }

  // Puts a value where the document has come to.
  json* insert(json value) {
    if (open_.empty()) {
      document_.rest = std::move(value);
      return &document_.rest;
    }
    json& parent = *open_.back().value;
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }

  void open(json container) {
    json* value = insert(std::move(container));
    open_.push_back({value, key_});
  }

  void add_merge(std::string_view text) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) {
      refuse_merge();
    }
    document_.merges.push_back(
        {std::string(text.substr(0, space)), std::string(text.substr(space + 1))});
  }

  std::string name_;
  TokenizerDocument document_;
  Place place_ = Place::kDocument;
  std::vector<Container> open_;  // outermost first
  std::string key_;              // of the value to come
  std::vector<std::string> merge_parts_;
};

}  // namespace

TokenizerDocument parse_tokenizer_document(std::string_view text, std::string_view name) {
  DocumentHandler handler(name);
  json::sax_parse(text.data(), text.data() + text.size(), &handler);
  return handler.take();
}

}  // namespace fbt::tokenizer
