#include "tasks/data_task.h"

#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/sha256.h"
#include "tasks/choice_metrics.h"
#include "tasks/example.h"
#include "tasks/few_shot_plan.h"

namespace fbt::tasks {
namespace {

class DataTask : public Task {
 public:
  DataTask(const Definition& definition, const DataSource& data) : definition_(definition) {
    TemplateScope scope = definition.scope;
    for (const auto& [name, file] : definition.texts) scope.constants[name] = data.read(file);
    const ExampleBuilder builder(definition, scope);
    for_each_row(data, definition.documents,
                 [&](const Row& row) { documents_.push_back(builder.document(row)); });
    if (documents_.empty()) {
      throw InputError(data.display_name(definition.documents.file) + " holds no documents");
    }
    if (!definition.few_shot) return;
    pool_name_ = data.display_name(definition.few_shot->rows.file);
    for_each_row(data, definition.few_shot->rows,
                 [&](const Row& row) { pool_.push_back(builder.few_shot(row)); });
  }

  const std::string& name() const override { return definition_.name; }
  const std::string& title() const override { return definition_.title; }
  TaskKind kind() const override { return definition_.task_kind(); }
  int default_shots() const override {
    return definition_.few_shot ? definition_.few_shot->shots : 0;
  }
  int document_count() const override { return static_cast<int>(documents_.size()); }
  const std::vector<std::string>& metrics() const override { return definition_.metrics; }

  const ScorerSpec& scorer() const override {
    static const ScorerSpec kNone;
    const GenerationDefinition* generation = this->generation();
    return generation ? generation->scorer : kNone;
  }

  const SamplingDefaults& sampling() const override {
    static const SamplingDefaults kGreedy;
    const GenerationDefinition* generation = this->generation();
    return generation ? generation->sampling : kGreedy;
  }

  std::shared_ptr<const PromptSet> prompts(const PromptOptions& options) const override;

  std::vector<MetricValue> score_choices(const Document& document,
                                         std::span<const double> log_likelihoods) const override {
    return choice_metrics(definition_.metrics, document, log_likelihoods);
  }

  const Definition& definition() const { return definition_; }
  const GenerationDefinition* generation() const {
    return std::get_if<GenerationDefinition>(&definition_.kind);
  }
  const std::vector<Example>& documents() const { return documents_; }
  const std::vector<FewShotExample>& pool() const { return pool_; }

 private:
  void check_shots(int shots) const;

  Definition definition_;
  std::vector<Example> documents_;
  std::vector<FewShotExample> pool_;
  std::string pool_name_;
};

class DataPromptSet : public PromptSet {
 public:
  DataPromptSet(std::shared_ptr<const DataTask> task, int shots, std::optional<ChatFormat> chat)
      : task_(std::move(task)), shots_(shots), chat_(std::move(chat)) {
    if (shots_ > 0) {
      plan_ =
          plan_few_shot(*task_->definition().few_shot, shots_, task_->documents(), task_->pool());
    }
  }

  int shots() const override { return shots_; }
  int document_count() const override { return task_->document_count(); }
  Document document(int id) const override;
  std::string hash() const override;

 private:
  // The texts that stand before the document's own prompt.
  std::string preamble(std::size_t id) const;
  std::string wrap(const std::string& text) const { return chat_ ? chat_->wrap(text) : text; }
  void add_choice_requests(const Example& example, const std::string& context,
                           Document& document) const;
  GenerationRequest generation_request(const Example& example, const std::string& context) const;

  std::shared_ptr<const DataTask> task_;
  int shots_;
  std::optional<ChatFormat> chat_;
  std::vector<std::vector<std::uint32_t>> plan_;  // empty without few-shot examples
};

std::shared_ptr<const PromptSet> DataTask::prompts(const PromptOptions& options) const {
  const GenerationDefinition* generation = this->generation();
  const bool own_chat_prompt = options.chat && generation && generation->chat;
  const int shots = options.shots.value_or(own_chat_prompt ? 0 : default_shots());
  check_shots(shots);
  return std::make_shared<DataPromptSet>(
      std::static_pointer_cast<const DataTask>(shared_from_this()), shots, options.chat);
}

void DataTask::check_shots(int shots) const {
  if (shots == 0) return;
  if (!definition_.few_shot) {
    throw InputError(fmt::format("{} has no few-shot examples; use --shots 0", name()));
  }
  const int available = static_cast<int>(pool_.size()) - definition_.few_shot->extra;
  if (shots < 0 || shots > available) {
    throw InputError(fmt::format("{} cannot give {} few-shot examples: {} holds {}", name(), shots,
                                 pool_name_, available));
  }
}

std::string DataPromptSet::preamble(std::size_t id) const {
  std::string text = task_->definition().description;
  if (plan_.empty()) return text;
  for (const std::uint32_t example : plan_[id]) text += task_->pool()[example].text;
  return text;
}

Document DataPromptSet::document(int id) const {
  const auto index = static_cast<std::size_t>(id);
  const Example& example = task_->documents()[index];
  Document document;
  document.id = id;
  document.target = example.target;
  document.choices = example.choices;
  document.right_choice = example.right_choice;
  document.reference = example.reference;
  const std::string context = preamble(index) + example.prompt;
  if (task_->kind() == TaskKind::kMultipleChoice) {
    add_choice_requests(example, context, document);
  } else {
    document.generation = generation_request(example, context);
  }
  return document;
}

void DataPromptSet::add_choice_requests(const Example& example, const std::string& context,
                                        Document& document) const {
  const Definition& definition = task_->definition();
  const std::string delimiter = chat_ ? "" : definition.target_delimiter;
  const bool partial = !std::get<ChoiceDefinition>(definition.kind).continuation.empty();
  for (const std::string& choice : example.choices) {
    if (partial) {
      document.requests.push_back({wrap(context + choice), delimiter + example.continuation});
    } else {
      document.requests.push_back({wrap(context), delimiter + choice});
    }
  }
}

GenerationRequest DataPromptSet::generation_request(const Example& example,
                                                    const std::string& context) const {
  const GenerationDefinition& generation = *task_->generation();
  GenerationRequest request;
  if (chat_ && shots_ == 0 && example.chat_prompt) {
    request = {wrap(*example.chat_prompt), generation.chat->until, generation.chat->max_new_tokens};
  } else {
    request = {wrap(context), generation.until, generation.max_new_tokens};
  }
  if (chat_) {
    request.until.insert(request.until.end(), chat_->stop.begin(), chat_->stop.end());
  }
  return request;
}

std::string DataPromptSet::hash() const {
  Sha256 digest;
  const auto feed = [&digest](std::string_view text) {
    digest.update(fmt::format("{}:", text.size()));
    digest.update(text);
  };
  for (int id = 0; id < document_count(); ++id) {
    const Document document = this->document(id);
    const std::string* context = nullptr;
    for (const LogLikelihoodRequest& request : document.requests) {
      // Choices mostly share their context: an empty text stands for "the same".
      feed(context && *context == request.context ? std::string_view() : request.context);
      feed(request.continuation);
      context = &request.context;
    }
    if (!document.generation) continue;
    feed(document.generation->context);
    for (const std::string& stop : document.generation->until) feed(stop);
    feed(std::to_string(document.generation->max_new_tokens.value_or(0)));
  }
  return digest.hex();
}

}  // namespace

std::shared_ptr<const Task> load_task(const Definition& definition, const DataSource& data) {
  return std::make_shared<DataTask>(definition, data);
}

}  // namespace fbt::tasks
