#include "tasks/task.h"

namespace fbt::tasks {

std::string_view task_kind_name(TaskKind kind) {
  return kind == TaskKind::kMultipleChoice ? "multiple_choice" : "generation";
}

}  // namespace fbt::tasks
