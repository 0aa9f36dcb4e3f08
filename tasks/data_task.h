#pragma once

// A task made of a definition and its data.

#include <memory>

#include "tasks/data_source.h"
#include "tasks/definition.h"
#include "tasks/task.h"

namespace fbt::tasks {

// Reads the task's files. Throws InputError for missing and malformed data.
std::shared_ptr<const Task> load_task(const Definition& definition, const DataSource& data);

}  // namespace fbt::tasks
