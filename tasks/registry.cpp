#include "tasks/registry.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/json_object.h"
#include "tasks/data_task.h"
#include "tasks/definition.h"
#include "tasks/embedded.h"

namespace fbt::tasks {
namespace {

constexpr std::string_view kDefinitionEnding = ".json";
// Each holds a file and its parsed rows at a time: more would cost memory for little.
constexpr unsigned kMostLoaders = 8;

std::vector<Group> parse_groups(std::string_view json) {
  const std::string where = "groups.json";
  const JsonObject::Json value = parse_ordered_json(json, where);
  std::vector<Group> groups;
  for (JsonObject& object : JsonObject(value, where).objects("groups")) {
    Group group;
    group.name = object.text("name");
    group.title = object.text("title");
    group.members = object.texts("members");
    const std::string mean = object.text("mean");
    if (mean != "plain" && mean != "size_weighted") {
      object.fail("mean", "must be plain or size_weighted");
    }
    group.mean = mean == "plain" ? Group::Mean::kPlain : Group::Mean::kSizeWeighted;
    object.finish();
    groups.push_back(std::move(group));
  }
  return groups;
}

// Side by side, a file being parsed on each core. Of several errors the first
// task's is thrown, as if they had been loaded in order. All threads have ended
// when it returns: the sandbox forks later.
std::vector<std::shared_ptr<const Task>> load_tasks(
    const std::vector<const Definition*>& definitions, const DataSource& data) {
  std::vector<std::shared_ptr<const Task>> tasks(definitions.size());
  std::vector<std::exception_ptr> errors(definitions.size());
  std::atomic<std::size_t> next = 0;
  const auto load = [&] {
    for (std::size_t i = next++; i < definitions.size(); i = next++) {
      try {
        tasks[i] = load_task(*definitions[i], data);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    const std::size_t cores = std::clamp(std::thread::hardware_concurrency(), 1U, kMostLoaders);
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(cores, definitions.size()); ++i) others.emplace_back(load);
    load();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return tasks;
}

}  // namespace

struct Registry::State {
  std::vector<Definition> definitions;
  std::vector<Group> groups;
  std::set<std::string> loaded_files;

  const Definition* find_task(const std::string& name) const {
    for (const Definition& definition : definitions) {
      const auto& aliases = definition.aliases;
      if (definition.name == name ||
          std::find(aliases.begin(), aliases.end(), name) != aliases.end()) {
        return &definition;
      }
    }
    return nullptr;
  }

  const Group* find_group(const std::string& name) const {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return group.name == name; });
    return found == groups.end() ? nullptr : &*found;
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    for (const Group& group : groups) names.push_back(group.name);
    for (const Definition& definition : definitions) {
      names.push_back(definition.name);
      names.insert(names.end(), definition.aliases.begin(), definition.aliases.end());
    }
    return names;
  }

  void add(std::vector<Definition> more) {
    for (Definition& definition : more) {
      if (find_task(definition.name) || find_group(definition.name)) {
        throw InputError(fmt::format("{}: key 'name' is '{}', which is taken; choose another",
                                     definition.where, definition.name));
      }
      definitions.push_back(std::move(definition));
    }
  }

  // Appends the tasks behind `name` (each once), and the groups, inner ones first.
  void collect(const std::string& name, std::vector<std::string>& tasks,
               std::vector<Group>& found_groups) const {
    if (const Definition* definition = find_task(name)) {
      if (std::find(tasks.begin(), tasks.end(), definition->name) == tasks.end()) {
        tasks.push_back(definition->name);
      }
      return;
    }
    const Group* group = find_group(name);
    if (!group) throw InputError(unknown_name_message("task", name, known_names()));
    for (const std::string& member : group->members) collect(member, tasks, found_groups);
    const auto same = [&](const Group& other) { return other.name == name; };
    if (std::none_of(found_groups.begin(), found_groups.end(), same)) {
      found_groups.push_back(*group);
    }
  }

  // Tasks and groups behind names and definition files; the latter are read.
  std::pair<std::vector<std::string>, std::vector<Group>> collect_all(
      const std::vector<std::string>& names) {
    std::vector<std::string> tasks;
    std::vector<Group> found_groups;
    for (const std::string& name : names) {
      if (!name.ends_with(kDefinitionEnding)) {
        collect(name, tasks, found_groups);
        continue;
      }
      std::vector<Definition> own = parse_definitions(read_file(name), name);
      std::vector<std::string> own_names;
      for (const Definition& definition : own) own_names.push_back(definition.name);
      if (loaded_files.insert(name).second) add(std::move(own));
      for (const std::string& own_name : own_names) collect(own_name, tasks, found_groups);
    }
    return {std::move(tasks), std::move(found_groups)};
  }
};

Registry::Registry() : state_(std::make_unique<State>()) {
  for (const EmbeddedFile& file : definition_files()) {
    state_->add(parse_definitions(file.content, std::string(file.name)));
  }
  state_->groups = parse_groups(groups_json());
  for (Group& group : state_->groups) {
    std::vector<Group> inner;
    state_->collect(group.name, group.tasks, inner);
  }
}

Registry::~Registry() = default;

std::vector<TaskEntry> Registry::tasks() const {
  std::vector<TaskEntry> entries;
  for (const Definition& definition : state_->definitions) {
    entries.push_back({definition.name, definition.title, definition.task_kind(),
                       definition.few_shot ? definition.few_shot->shots : 0,
                       definition.metrics.front(), definition.files()});
  }
  return entries;
}

std::vector<Group> Registry::groups() const {
  return state_->groups;
}

std::vector<std::string> Registry::expand(const std::vector<std::string>& names) {
  return state_->collect_all(names).first;
}

Selection Registry::resolve(const std::vector<std::string>& names, const DataSource& data) {
  auto [tasks, groups] = state_->collect_all(names);
  std::vector<const Definition*> definitions;
  for (const std::string& name : tasks) definitions.push_back(state_->find_task(name));
  return {load_tasks(definitions, data), std::move(groups)};
}

}  // namespace fbt::tasks
