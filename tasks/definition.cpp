#include "tasks/definition.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/json_object.h"
#include "tasks/example.h"

namespace fbt::tasks {
namespace {

constexpr int kSchema = 1;
const std::vector<std::string> kChoiceMetrics = {"acc", "acc_norm", "acc_bytes"};
const std::vector<std::string> kScorers = {"gsm8k", "math", "humaneval", "mbpp", "pattern"};
const std::vector<std::string> kReferenceTexts = {"gold",        "task_id", "prompt",
                                                  "entry_point", "test",    "test_setup_code"};

std::string one_of(JsonObject& object, const std::string& key, const std::string& value,
                   const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    object.fail(key, "names an " + unknown_name_message(key, value, known));
  }
  return value;
}

std::string constant(JsonObject& object, const std::string& key, const std::string& text,
                     const TemplateScope& scope) {
  return Template::constant(text, scope, fmt::format("{}: key '{}'", object.where(), key));
}

// "./x" and "../x" are relative to the definition's own folder.
std::string file_path(JsonObject& object, const std::string& key, const TemplateScope& scope,
                      const std::filesystem::path& folder) {
  const std::string file = constant(object, key, object.text(key), scope);
  const bool beside_definition = file.starts_with("./") || file.starts_with("../");
  return beside_definition ? std::filesystem::absolute(folder / file).lexically_normal().string()
                           : file;
}

RowFile parse_rows(JsonObject& object, const TemplateScope& scope,
                   const std::filesystem::path& folder) {
  RowFile rows;
  rows.file = file_path(object, "file", scope, folder);
  check_row_format(rows.file, fmt::format("{}: key 'file'", object.where()));
  rows.columns = object.texts("columns", {});
  if (object.has("labels")) {
    JsonObject labels = object.object("labels");
    rows.labels = LabelFile{file_path(labels, "file", scope, folder), labels.text("field")};
    labels.finish();
  }
  if (object.has("where")) {
    JsonObject where = object.object("where");
    rows.where = RowFilter{FieldPath(where.text("field"), where.where() + ": key 'field'"),
                           where.integer("from"), where.integer("to")};
    where.finish();
  }
  return rows;
}

FewShotDefinition parse_few_shot(JsonObject object, const TemplateScope& scope,
                                 const std::filesystem::path& folder) {
  FewShotDefinition few_shot;
  few_shot.rows = parse_rows(object, scope, folder);
  few_shot.shots = object.integer("shots");
  const std::string sampler =
      one_of(object, "sampler", object.text("sampler", "random"), {"random", "first"});
  few_shot.sampler = sampler == "first" ? Sampler::kFirst : Sampler::kRandom;
  few_shot.extra = object.integer("extra", 0);
  if (few_shot.extra > 0 && few_shot.sampler == Sampler::kFirst) {
    object.fail("extra", "goes with the sampler 'random' only");
  }
  few_shot.answer = object.text("answer", "");
  object.finish();
  return few_shot;
}

// A list of templates, or {"list": PATH}.
std::variant<std::vector<std::string>, std::string> parse_list(JsonObject& object,
                                                               const std::string& key) {
  if (object.value(key).is_array()) return object.texts(key);
  JsonObject list = object.object(key);
  std::string path = list.text("list");
  list.finish();
  return path;
}

ChoiceDefinition parse_choice(JsonObject& object) {
  ChoiceDefinition choice;
  choice.choices = parse_list(object, "choices");
  choice.continuation = object.text("continuation", "");
  JsonObject target = object.object("target");
  if (target.has("index")) {
    choice.target = IndexTarget{target.text("index")};
  } else if (target.has("label")) {
    choice.target = LabelTarget{target.text("label"), parse_list(target, "among")};
  } else if (target.has("truth")) {
    choice.target = TruthTarget{target.text("truth")};
  } else {
    object.fail("target", "needs one of the keys 'index', 'label' and 'truth'");
  }
  choice.target_is_text = target.boolean("is_text", false);
  target.finish();
  return choice;
}

std::optional<int> token_limit(JsonObject& object) {
  if (!object.has("max_new_tokens")) return std::nullopt;
  const int limit = object.integer("max_new_tokens");
  if (limit == 0) object.fail("max_new_tokens", "must be 1 or more");
  return limit;
}

void parse_scorer(JsonObject object, GenerationDefinition& generation) {
  ScorerSpec& scorer = generation.scorer;
  scorer.name = one_of(object, "name", object.text("name"), kScorers);
  if (scorer.name == "pattern") {
    scorer.pattern = object.text("pattern");
    scorer.ignore_case = object.boolean("ignore_case", false);
    const RE2 compiled(scorer.pattern, RE2::Quiet);
    if (!compiled.ok()) {
      object.fail("pattern", "is not a regular expression: " + compiled.error());
    }
  }
  for (const std::string& field : kReferenceTexts) {
    if (object.has(field)) generation.reference[field] = object.text(field);
  }
  generation.test_list = object.text("test_list", "");
  object.finish();
}

SamplingDefaults parse_sampling(JsonObject object) {
  SamplingDefaults sampling;
  sampling.samples = object.integer("samples");
  sampling.temperatures = object.numbers("temperatures");
  if (sampling.samples < 1) object.fail("samples", "must be 1 or more");
  if (sampling.temperatures.empty()) object.fail("temperatures", "must not be empty");
  sampling.k.clear();
  for (const double k : object.numbers("k")) {
    if (!(k >= 1 && k <= sampling.samples)) {
      object.fail("k", "must lie between 1 and 'samples'");
    }
    sampling.k.push_back(static_cast<int>(k));
  }
  object.finish();
  return sampling;
}

GenerationDefinition parse_generation(JsonObject& object) {
  GenerationDefinition generation;
  generation.target = object.text("target");
  generation.until = object.texts("until");
  generation.max_new_tokens = token_limit(object);
  parse_scorer(object.object("scorer"), generation);
  if (object.has("sampling")) generation.sampling = parse_sampling(object.object("sampling"));
  if (object.has("chat")) {
    JsonObject chat = object.object("chat");
    generation.chat =
        ChatDefinition{chat.text("prompt"), chat.texts("until", {}), token_limit(chat)};
    chat.finish();
  }
  return generation;
}

void parse_metrics(JsonObject& object, Definition& definition) {
  definition.metrics = object.texts("metrics");
  if (definition.metrics.empty()) object.fail("metrics", "must not be empty");
  std::vector<std::string> known = kChoiceMetrics;
  if (const auto* choice = std::get_if<ChoiceDefinition>(&definition.kind)) {
    if (std::holds_alternative<TruthTarget>(choice->target)) known = {"acc"};
  } else {
    known = {"exact_match"};
    for (const int k : std::get<GenerationDefinition>(definition.kind).sampling.k) {
      known.push_back(fmt::format("pass@{}", k));
    }
  }
  for (const std::string& metric : definition.metrics) {
    one_of(object, "metrics", metric, known);
  }
}

Definition parse_definition(JsonObject object, const std::filesystem::path& folder,
                            TemplateScope scope) {
  Definition definition;
  definition.where = object.where();
  if (object.has("maps")) {
    JsonObject maps = object.object("maps");
    for (const std::string& name : maps.keys()) {
      JsonObject map = maps.object(name);
      for (const std::string& key : map.keys()) scope.maps[name][key] = map.text(key);
    }
  }
  definition.name = constant(object, "name", object.text("name"), scope);
  definition.title = constant(object, "title", object.text("title"), scope);
  definition.aliases = object.texts("aliases", {});
  if (object.has("texts")) {
    JsonObject texts = object.object("texts");
    for (const std::string& name : texts.keys()) {
      definition.texts[name] = file_path(texts, name, scope, folder);
    }
  }
  JsonObject documents = object.object("documents");
  definition.documents = parse_rows(documents, scope, folder);
  documents.finish();
  if (object.has("few_shot")) {
    definition.few_shot = parse_few_shot(object.object("few_shot"), scope, folder);
  }
  definition.description = constant(object, "description", object.text("description", ""), scope);
  definition.prompt = object.text("prompt", "");
  definition.target_delimiter = object.text("target_delimiter", definition.target_delimiter);
  definition.few_shot_delimiter = object.text("few_shot_delimiter", definition.few_shot_delimiter);
  const std::string kind =
      one_of(object, "kind", object.text("kind"), {"multiple_choice", "generation"});
  if (kind == "multiple_choice") {
    definition.kind = parse_choice(object);
  } else {
    definition.kind = parse_generation(object);
  }
  parse_metrics(object, definition);
  object.finish();
  definition.scope = std::move(scope);
  return definition;
}

// Compiles every template once, the texts' contents being unknown yet.
void check_templates(const Definition& definition) {
  TemplateScope scope = definition.scope;
  for (const auto& [name, file] : definition.texts) scope.constants[name];
  ExampleBuilder(definition, scope);
}

}  // namespace

TaskKind Definition::task_kind() const {
  return std::holds_alternative<ChoiceDefinition>(kind) ? TaskKind::kMultipleChoice
                                                        : TaskKind::kGeneration;
}

std::vector<std::string> Definition::files() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& file) {
    if (std::find(names.begin(), names.end(), file) == names.end()) names.push_back(file);
  };
  const auto add_rows = [&](const RowFile& rows) {
    add(rows.file);
    if (rows.labels) add(rows.labels->file);
  };
  add_rows(documents);
  if (few_shot) add_rows(few_shot->rows);
  for (const auto& [name, file] : texts) add(file);
  return names;
}

std::vector<Definition> parse_definitions(std::string_view json, const std::string& where) {
  const JsonObject::Json value = parse_ordered_json(json, where);
  JsonObject object(value, where);
  if (object.integer("schema") != kSchema) {
    object.fail("schema", fmt::format("must be {}: this program reads no other", kSchema));
  }
  const std::filesystem::path folder = std::filesystem::path(where).parent_path();
  std::vector<TemplateScope> scopes(1);
  if (object.has("for_each")) {
    JsonObject family = object.object("for_each");
    const std::vector<std::string> variables = family.keys();
    if (variables.size() != 1) object.fail("for_each", "must hold one variable and its values");
    scopes.clear();
    for (const std::string& member : family.texts(variables.front())) {
      scopes.emplace_back().constants[variables.front()] = member;
    }
  }
  std::vector<Definition> definitions;
  for (const TemplateScope& scope : scopes) {
    definitions.push_back(parse_definition(object, folder, scope));
    check_templates(definitions.back());
  }
  return definitions;
}

}  // namespace fbt::tasks
