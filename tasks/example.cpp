#include "tasks/example.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"

namespace fbt::tasks {
namespace {

const std::map<std::string, std::string Reference::*> kReferenceFields = {
    {"gold", &Reference::gold},     {"task_id", &Reference::task_id},
    {"prompt", &Reference::prompt}, {"entry_point", &Reference::entry_point},
    {"test", &Reference::test},     {"test_setup_code", &Reference::test_setup_code},
};

}  // namespace

ExampleBuilder::ExampleBuilder(const Definition& definition, const TemplateScope& scope)
    : target_delimiter_(definition.target_delimiter),
      few_shot_delimiter_(definition.few_shot_delimiter) {
  const auto where = [&](const std::string& key) {
    return fmt::format("{}: key '{}'", definition.where, key);
  };
  const auto compile = [&](const std::string& key, const std::string& text) {
    return Template(text, scope, where(key));
  };
  prompt_ = compile("prompt", definition.prompt);
  if (definition.few_shot) {
    fingerprints_ = definition.few_shot->extra > 0;
    if (!definition.few_shot->answer.empty()) {
      few_shot_answer_ = compile("few_shot.answer", definition.few_shot->answer);
    }
  }
  if (const auto* given = std::get_if<GenerationDefinition>(&definition.kind)) {
    Generation& generation = generation_.emplace();
    generation.target = compile("target", given->target);
    if (given->chat) generation.chat_prompt = compile("chat.prompt", given->chat->prompt);
    for (const auto& [field, text] : given->reference) {
      generation.reference.emplace_back(kReferenceFields.at(field),
                                        compile("scorer." + field, text));
    }
    if (!given->test_list.empty()) {
      generation.test_list = FieldPath(given->test_list, where("scorer.test_list"));
    }
    return;
  }
  const auto& given = std::get<ChoiceDefinition>(definition.kind);
  Choice& choice = choice_.emplace(Choice{});
  if (const auto* path = std::get_if<std::string>(&given.choices)) {
    choice.choices = FieldPath(*path, where("choices.list"));
  } else {
    std::vector<Template> templates;
    for (const std::string& text : std::get<std::vector<std::string>>(given.choices)) {
      templates.push_back(compile("choices", text));
    }
    choice.choices = std::move(templates);
  }
  if (!given.continuation.empty()) {
    choice.continuation = compile("continuation", given.continuation);
  }
  choice.target_is_text = given.target_is_text;
  if (const auto* target = std::get_if<IndexTarget>(&given.target)) {
    choice.index = compile("target.index", target->index);
  } else if (const auto* label = std::get_if<LabelTarget>(&given.target)) {
    choice.label = compile("target.label", label->label);
    if (const auto* path = std::get_if<std::string>(&label->among)) {
      choice.among = FieldPath(*path, where("target.among.list"));
    } else {
      choice.among = std::get<std::vector<std::string>>(label->among);
    }
  } else {
    choice.truth = FieldPath(std::get<TruthTarget>(given.target).labels, where("target.truth"));
  }
}

std::vector<std::string> ExampleBuilder::texts(const List& list, const Row& row) {
  if (const auto* path = std::get_if<FieldPath>(&list)) return path->texts(row);
  std::vector<std::string> rendered;
  for (const Template& item : std::get<std::vector<Template>>(list)) {
    rendered.push_back(item.render(row));
  }
  return rendered;
}

int ExampleBuilder::right_choice(const Row& row, std::size_t choices) const {
  std::vector<std::string> labels;
  std::string wanted;
  if (choice_->index) {
    wanted = choice_->index->render(row);
    for (std::size_t i = 0; i < choices; ++i) labels.push_back(std::to_string(i));
  } else {
    wanted = choice_->label->render(row);
    const auto* path = std::get_if<FieldPath>(&choice_->among);
    labels = path ? path->texts(row) : std::get<std::vector<std::string>>(choice_->among);
  }
  labels.resize(std::min(labels.size(), choices));
  const auto found = std::find(labels.begin(), labels.end(), wanted);
  if (found == labels.end()) {
    const Template& given = choice_->index ? *choice_->index : *choice_->label;
    row.fail(given.field_names(), fmt::format("names the right choice as '{}', which is none of {}",
                                              wanted, fmt::join(labels, ", ")));
  }
  return static_cast<int>(found - labels.begin());
}

void ExampleBuilder::render_choices(const Row& row, Example& example) const {
  example.choices = texts(choice_->choices, row);
  if (example.choices.empty()) {
    throw InputError(fmt::format("{}:{}: the row has no choices", row.file, row.line));
  }
  if (choice_->continuation) example.continuation = choice_->continuation->render(row);
  if (!choice_->truth) {
    const int right = right_choice(row, example.choices.size());
    example.right_choice = right;
    example.target = right;
    if (choice_->target_is_text) {
      example.target = example.choices[static_cast<std::size_t>(right)];
    }
    return;
  }
  std::vector<int> truth;
  for (const std::string& label : choice_->truth->texts(row)) {
    if (label != "0" && label != "1") row.fail(choice_->truth->name(), "must hold 0 and 1 only");
    truth.push_back(label == "1");
  }
  if (truth.size() != example.choices.size()) {
    row.fail(choice_->truth->name(),
             fmt::format("holds {} labels for {} choices", truth.size(), example.choices.size()));
  }
  if (truth.front() == 0) row.fail(choice_->truth->name(), "must begin with a true choice");
  example.target = std::move(truth);
}

void ExampleBuilder::render_reference(const Row& row, Example& example) const {
  example.target = generation_->target.render(row);
  if (generation_->chat_prompt) example.chat_prompt = generation_->chat_prompt->render(row);
  for (const auto& [field, text] : generation_->reference) {
    example.reference.*field = text.render(row);
  }
  if (generation_->test_list) example.reference.test_list = generation_->test_list->texts(row);
}

FewShotExample ExampleBuilder::solved(const Row& row, const Example& example) const {
  // lm-eval's TruthfulQA shows the first choice, which is always a true one.
  const auto shown = static_cast<std::size_t>(example.right_choice.value_or(0));
  FewShotExample few_shot;
  few_shot.text = example.prompt;
  if (choice_ && choice_->continuation) few_shot.text += example.choices[shown];
  few_shot.text += target_delimiter_;
  if (few_shot_answer_) {
    few_shot.text += few_shot_answer_->render(row);
  } else if (generation_) {
    few_shot.text += std::get<std::string>(example.target);
  } else {
    few_shot.text += choice_->continuation ? example.continuation : example.choices[shown];
  }
  few_shot.text += few_shot_delimiter_;
  if (fingerprints_) {
    few_shot.fingerprint = stable_hash(few_shot.text);
    for (const std::string& choice : example.choices) {
      few_shot.fingerprint = stable_hash(choice, few_shot.fingerprint);
    }
  }
  return few_shot;
}

Example ExampleBuilder::document(const Row& row) const {
  Example example;
  example.prompt = prompt_.render(row);
  if (choice_) {
    render_choices(row, example);
  } else {
    render_reference(row, example);
  }
  if (fingerprints_) example.fingerprint = solved(row, example).fingerprint;
  return example;
}

FewShotExample ExampleBuilder::few_shot(const Row& row) const {
  Example example;
  example.prompt = prompt_.render(row);
  if (choice_) {
    render_choices(row, example);
  } else if (!few_shot_answer_) {
    example.target = generation_->target.render(row);
  }
  return solved(row, example);
}

}  // namespace fbt::tasks
