#pragma once

// From a row to the texts that prompts are made of. A row is rendered once, when
// it is read; the row itself is not kept.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tasks/definition.h"

namespace fbt::tasks {

// A document of the evaluation split.
struct Example {
  std::string prompt;
  std::optional<std::string> chat_prompt;
  std::vector<std::string> choices;
  std::string continuation;  // partial scoring only
  std::optional<int> right_choice;
  Target target;
  Reference reference;
  // Equal for equal rows; 0 where the task never asks.
  std::uint64_t fingerprint = 0;
};

// A solved example, ready to be put before a question.
struct FewShotExample {
  std::string text;
  std::uint64_t fingerprint = 0;
};

class ExampleBuilder {
 public:
  // `scope` holds all constants that the definition's templates may name.
  // Throws InputError that names the key whose template is malformed.
  ExampleBuilder(const Definition& definition, const TemplateScope& scope);

  // Both throw InputError with the row's file, line and field.
  Example document(const Row& row) const;
  FewShotExample few_shot(const Row& row) const;

 private:
  // Templates, or the path of a list.
  using List = std::variant<std::vector<Template>, FieldPath>;

  struct Choice {
    List choices;
    std::optional<Template> continuation;
    std::optional<Template> index;  // IndexTarget
    std::optional<Template> label;  // LabelTarget
    std::variant<std::vector<std::string>, FieldPath> among;
    std::optional<FieldPath> truth;  // TruthTarget
    bool target_is_text = false;
  };
  struct Generation {
    Template target;
    std::optional<Template> chat_prompt;
    std::vector<std::pair<std::string Reference::*, Template>> reference;
    std::optional<FieldPath> test_list;
  };

  static std::vector<std::string> texts(const List& list, const Row& row);
  void render_choices(const Row& row, Example& example) const;
  int right_choice(const Row& row, std::size_t choices) const;
  void render_reference(const Row& row, Example& example) const;
  FewShotExample solved(const Row& row, const Example& example) const;

  bool fingerprints_ = false;
  std::string target_delimiter_;
  std::string few_shot_delimiter_;
  Template prompt_;
  std::optional<Template> few_shot_answer_;
  std::optional<Choice> choice_;
  std::optional<Generation> generation_;
};

}  // namespace fbt::tasks
