#include "harness/run/stored_cell.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "harness/run/judge.h"
#include "tasks/data_source.h"

namespace fbt::run {
namespace {

constexpr std::size_t kMostNamed = 10;

std::shared_ptr<const tasks::PromptSet> prompts_of(const tasks::Task& task,
                                                   const results::Plan& plan) {
  tasks::PromptOptions options{.shots = plan.shots, .chat = {}};
  if (!plan.chat_format.empty()) options.chat = tasks::load_chat_format(plan.chat_format);
  return task.prompts(options);
}

bool has_files(const tasks::Registry& registry, const std::string& task,
               const tasks::DataSource& data) {
  const std::vector<tasks::TaskEntry> entries = registry.tasks();
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const tasks::TaskEntry& each) { return each.name == task; });
  return entry != entries.end() &&
         std::all_of(entry->files.begin(), entry->files.end(),
                     [&](const std::string& file) { return data.has(file); });
}

// "samples" where the run was made of them, else the user's data folder.
std::string data_of(const results::Plan& plan, tasks::Registry& registry) {
  const tasks::DataSource samples("samples");
  if (has_files(registry, plan.task, samples)) {
    const auto task = registry.resolve({plan.task}, samples).tasks.front();
    const auto prompts = prompts_of(*task, plan);
    if (prompts->hash() == plan.prompts_hash) return "samples";
  }
  return tasks::default_data_folder().string();
}

// Documents whose prompt or target is another one now, or that are gone.
std::vector<std::int64_t> changed_documents(const results::Store& store, results::RunId run,
                                            const tasks::PromptSet& prompts) {
  std::vector<std::int64_t> changed;
  for (const results::Document& stored : store.documents(run, /*with_text=*/true)) {
    bool same = stored.doc_id < prompts.document_count();
    if (same) {
      const tasks::Document today = prompts.document(static_cast<int>(stored.doc_id));
      same = today.generation && today.generation->context == stored.prompt &&
             target_text(today.target) == stored.target;
    }
    if (!same) changed.push_back(stored.doc_id);
  }
  return changed;
}

void require_same_data(const results::Store& store, const results::RunRecord& run,
                       const tasks::PromptSet& prompts, const std::string& data) {
  std::vector<std::int64_t> changed = changed_documents(store, run.id, prompts);
  if (!changed.empty()) {
    const std::size_t count = changed.size();
    changed.resize(std::min(count, kMostNamed));
    throw InputError(fmt::format(
        "{}: {} has another prompt or reference in {} than when the run was made, document{} {}{}; "
        "give the run's data with --data, or run it again with --fresh",
        store.path().string(), run_title(run), data, count == 1 ? "" : "s",
        fmt::join(changed, ", "), count > kMostNamed ? fmt::format(" … ({} in all)", count) : ""));
  }
  const bool whole = run.documents_planned <= prompts.document_count();
  if (!whole || references_hash(prompts, run.documents_planned) != run.plan.data_hash) {
    throw InputError(fmt::format(
        "{}: the answers or tests of {} are others in {} than when the run was made (its data_hash "
        "differs); give the run's data with --data, or run it again with --fresh",
        store.path().string(), run_title(run), data));
  }
}

}  // namespace

Cell stored_cell(const results::Store& store, const results::RunRecord& run,
                 tasks::Registry& registry, const std::string& data) {
  const std::string source = data.empty() ? data_of(run.plan, registry) : data;
  Cell cell{.task = registry.resolve({run.plan.task}, tasks::DataSource(source)).tasks.front(),
            .prompts = nullptr,
            .mode = parse_modes(run.plan.mode).front(),
            .chat = !run.plan.chat_format.empty(),
            .plan = run.plan,
            .documents_planned = run.documents_planned,
            .documents = {},
            .run = run.id};
  if (!cell.is_generation()) {
    throw InputError(fmt::format("{}: {} was a task of free generation and is one of choices now",
                                 store.path().string(), run_title(run)));
  }
  cell.prompts = prompts_of(*cell.task, run.plan);
  require_same_data(store, run, *cell.prompts, source);
  return cell;
}

std::string run_title(const results::RunRecord& run) {
  return fmt::format("{} {} of {}", run.plan.task, mode_label(run.plan), run.checkpoint.name);
}

}  // namespace fbt::run
