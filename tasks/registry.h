#pragma once

// Every task and group by name, and how a list of names becomes loaded tasks.

#include <memory>
#include <string>
#include <vector>

#include "tasks/data_source.h"
#include "tasks/task.h"

namespace fbt::tasks {

// Tasks reported together under one name, beside the tasks themselves.
struct Group {
  enum class Mean {
    kPlain,         // every member counts the same
    kSizeWeighted,  // members count by their documents
  };

  std::string name;
  std::string title;
  std::vector<std::string> members;  // tasks and other groups, in order of display
  std::vector<std::string> tasks;    // all tasks inside, those of inner groups too
  Mean mean = Mean::kPlain;
};

// A task that can be loaded.
struct TaskEntry {
  std::string name;
  std::string title;
  TaskKind kind = TaskKind::kMultipleChoice;
  int default_shots = 0;
  std::string primary_metric;
  std::vector<std::string> files;  // the data it reads, relative to the data folder
};

// What a list of names came to.
struct Selection {
  std::vector<std::shared_ptr<const Task>> tasks;  // each once, in the order asked for
  // The groups asked for and all groups inside them, inner ones first.
  std::vector<Group> groups;
};

class Registry {
 public:
  // The built-in tasks and groups.
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // In order of display. Aliases are left out.
  std::vector<TaskEntry> tasks() const;
  std::vector<Group> groups() const;

  // The tasks' names behind `names`: names of tasks, groups and aliases, or
  // paths of definition files (ending in .json; these become part of the
  // registry). Reads no data. Throws InputError: unknown names with the nearest
  // known ones, definition files with the key that is wrong.
  std::vector<std::string> expand(const std::vector<std::string>& names);

  // Loads the tasks' data. Throws as expand() does, and InputError for data
  // that is missing (with the command that brings it) or malformed (file, line, field).
  Selection resolve(const std::vector<std::string>& names, const DataSource& data);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fbt::tasks
