// fbt-eval tasks: the registry, and the exact requests of a document.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.h"
#include "harness/cli/command.h"
#include "harness/cli/number_check.h"
#include "tasks/registry.h"

namespace fbt::cli {
namespace {

using nlohmann::json;

struct ListOptions {
  bool all = false;
  bool json = false;
};

struct ShowOptions {
  std::string name;
  std::string data;
  std::string chat;
  int document = 0;
  int shots = -1;  // negative: the task's default
  bool json = false;
};

// Hidden from the list unless asked for: the parts of a group that is one benchmark.
bool is_part(const std::string& name, const std::vector<tasks::Group>& groups) {
  return std::any_of(groups.begin(), groups.end(), [&](const tasks::Group& group) {
    return group.mean == tasks::Group::Mean::kSizeWeighted &&
           std::find(group.members.begin(), group.members.end(), name) != group.members.end();
  });
}

json list_json(const tasks::Registry& registry) {
  json list = {{"schema", 1}, {"tasks", json::array()}, {"groups", json::array()}};
  for (const tasks::TaskEntry& task : registry.tasks()) {
    list["tasks"].push_back({{"name", task.name},
                             {"title", task.title},
                             {"kind", task_kind_name(task.kind)},
                             {"default_shots", task.default_shots},
                             {"primary_metric", task.primary_metric},
                             {"files", task.files}});
  }
  for (const tasks::Group& group : registry.groups()) {
    const bool weighted = group.mean == tasks::Group::Mean::kSizeWeighted;
    list["groups"].push_back({{"name", group.name},
                              {"title", group.title},
                              {"mean", weighted ? "size_weighted" : "plain"},
                              {"members", group.members},
                              {"tasks", group.tasks}});
  }
  return list;
}

void print_list(const ListOptions& options) {
  const tasks::Registry registry;
  if (options.json) {
    fmt::print("{}\n", dump_json(list_json(registry)));
    return;
  }
  const std::vector<tasks::Group> groups = registry.groups();
  fmt::print("{:<32} {:<16} {:>5}  {:<12} {}\n", "task", "kind", "shots", "metric", "what");
  for (const tasks::TaskEntry& task : registry.tasks()) {
    if (!options.all && is_part(task.name, groups)) continue;
    fmt::print("{:<32} {:<16} {:>5}  {:<12} {}\n", task.name, task_kind_name(task.kind),
               task.default_shots, task.primary_metric, task.title);
  }
  fmt::print("\n{:<32} {:>5}  {}\n", "group", "tasks", "what");
  for (const tasks::Group& group : groups) {
    fmt::print("{:<32} {:>5}  {}\n", group.name, group.tasks.size(), group.title);
  }
}

json document_json(const tasks::Task& task, const tasks::PromptSet& prompts,
                   const tasks::Document& document) {
  json shown = {{"task", task.name()}, {"doc_id", document.id}, {"shots", prompts.shots()}};
  std::visit([&](const auto& target) { shown["target"] = target; }, document.target);
  if (document.generation) {
    shown["context"] = document.generation->context;
    shown["until"] = document.generation->until;
    shown["max_new_tokens"] = nullptr;
    if (const auto& limit = document.generation->max_new_tokens) shown["max_new_tokens"] = *limit;
    return shown;
  }
  shown["requests"] = json::array();
  for (const tasks::LogLikelihoodRequest& request : document.requests) {
    shown["requests"].push_back(
        {{"context", request.context}, {"continuation", request.continuation}});
  }
  return shown;
}

// Texts as they are, so that every space and line end can be seen in place.
void print_document(const tasks::Task& task, const tasks::PromptSet& prompts,
                    const tasks::Document& document) {
  const json shown = document_json(task, prompts, document);
  fmt::print("task {}, document {} of {}, {} shots\ntarget {}\n", task.name(), document.id,
             prompts.document_count(), prompts.shots(), dump_json(shown["target"]));
  if (document.generation) {
    fmt::print("until {}, at most {} new tokens\n--- context\n{}\n---\n", dump_json(shown["until"]),
               shown["max_new_tokens"].is_null() ? "the default number of"
                                                 : dump_json(shown["max_new_tokens"]),
               document.generation->context);
    return;
  }
  const std::string* context = nullptr;
  for (const tasks::LogLikelihoodRequest& request : document.requests) {
    if (!context || *context != request.context) {
      fmt::print("--- context\n{}\n---\n", request.context);
    }
    context = &request.context;
    fmt::print("continuation {}\n", dump_json(request.continuation));
  }
}

void show(const ShowOptions& options) {
  tasks::Registry registry;
  const std::vector<std::string> names = registry.expand({options.name});
  if (names.size() != 1) {
    throw InputError(fmt::format("{} is a group of {} tasks; name one of them, as {}", options.name,
                                 names.size(), names.front()));
  }
  const tasks::DataSource data(options.data.empty() ? tasks::default_data_folder().string()
                                                    : options.data);
  const std::shared_ptr<const tasks::Task> task = registry.resolve({options.name}, data).tasks[0];
  if (options.document >= task->document_count()) {
    throw InputError(fmt::format("--doc {} is out of range: {} has documents 0 to {}",
                                 options.document, task->name(), task->document_count() - 1));
  }
  tasks::PromptOptions prompt_options;
  if (options.shots >= 0) prompt_options.shots = options.shots;
  if (!options.chat.empty()) prompt_options.chat = tasks::load_chat_format(options.chat);
  const auto prompts = task->prompts(prompt_options);
  const tasks::Document document = prompts->document(options.document);
  if (options.json) {
    fmt::print("{}\n", dump_json(document_json(*task, *prompts, document)));
  } else {
    print_document(*task, *prompts, document);
  }
}

void add_list(CLI::App& tasks) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* list = tasks.add_subcommand("list", "Every task and group");
  list->add_flag("--all", options->all, "The subjects of MMLU too");
  list->add_flag("--json", options->json, "As JSON");
  list->callback([options] { print_list(*options); });
}

void add_show(CLI::App& tasks) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = tasks.add_subcommand("show", "The exact requests of a document");
  command->add_option("name", options->name, "A task, or the path of a definition (.json)")
      ->required();
  command->add_option("--doc", options->document, "Index of the document, from 0")
      ->check(non_negative_number())
      ->capture_default_str();
  command->add_option("--shots", options->shots, "Few-shot examples (default: the task's)")
      ->check(non_negative_number());
  command->add_option("--chat", options->chat,
                      "Chat format: plain, chatml, llama3, phi, nanochat, or a .json file");
  command->add_option(
      "--data", options->data,
      "Data folder, or 'samples' (default: $FBT_DATA, else the user's data folder)");
  command->add_flag("--json", options->json, "One line of JSON");
  command->callback([options] { show(*options); });
}

}  // namespace

void add_tasks_command(CLI::App& app, ExitStatus&) {
  CLI::App* tasks = app.add_subcommand("tasks", "The registry of tasks, and their requests");
  tasks->require_subcommand(1);
  add_list(*tasks);
  add_show(*tasks);
}

}  // namespace fbt::cli
