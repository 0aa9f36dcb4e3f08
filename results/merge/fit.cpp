#include "results/merge/fit.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace fbt::results {
namespace {

std::string fact_text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "none";
}

// "train_tokens (2e+11 and 4e+11)" for the first fact that differs; empty: none.
std::string fact_difference(const Checkpoint& a, const Checkpoint& b) {
  const auto differing = [](const char* key, const std::string& left, const std::string& right) {
    return left == right ? std::string() : fmt::format("{} ({} and {})", key, left, right);
  };
  for (const std::string& difference :
       {differing("train_tokens", fact_text(a.train_tokens), fact_text(b.train_tokens)),
        differing("average_passes", fact_text(a.average_passes), fact_text(b.average_passes)),
        differing("family", a.family, b.family), differing("stage", a.stage, b.stage)}) {
    if (!difference.empty()) return difference;
  }
  return {};
}

bool has_run(const FileRuns& file, const RunRecord& run) {
  return std::any_of(file.runs.begin(), file.runs.end(), [&](const FileRun& other) {
    return other.run.checkpoint.content_hash == run.checkpoint.content_hash &&
           other.run.plan == run.plan;
  });
}

class Pairing {
 public:
  Pairing(const FileRuns& first, const FileRuns& second, const MergeOptions& options)
      : first_(first), second_(second), options_(options) {}

  void require_fit(const FileRun& a, const FileRun& b) const {
    if (a.run.checkpoint.content_hash != b.run.checkpoint.content_hash) return;
    const std::string fact = fact_difference(a.run.checkpoint, b.run.checkpoint);
    if (!fact.empty()) {
      refuse(fmt::format("the checkpoint {} differs in {}; make its fbt.json the same",
                         a.run.checkpoint.name, fact));
    }
    if (a.run.plan == b.run.plan) {
      require_parts_of_one(a, b);
    } else if (a.run.plan.task == b.run.plan.task &&
               mode_label(a.run.plan) == mode_label(b.run.plan) && !options_.several_plans &&
               !has_run(second_, a.run) && !has_run(first_, b.run)) {
      refuse(fmt::format(
          "{} differs in {}; run both with the same settings, or keep both with --several-plans",
          run_text(a.run), fmt::join(plan_differences(a.run.plan, b.run.plan, false), ", ")));
    }
  }

 private:
  void require_parts_of_one(const FileRun& a, const FileRun& b) const {
    if (a.run.documents_planned != b.run.documents_planned) {
      refuse(fmt::format("{} plans {} and {} documents", run_text(a.run), a.run.documents_planned,
                         b.run.documents_planned));
    }
    if (!options_.mixed_versions && a.program_versions != b.program_versions &&
        !a.program_versions.empty() && !b.program_versions.empty()) {
      refuse(fmt::format(
          "{} was made and scored by fbt-eval {} and {}; use one version, or join them with "
          "--mixed-versions",
          run_text(a.run), fmt::join(a.program_versions, ", "),
          fmt::join(b.program_versions, ", ")));
    }
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(
        fmt::format("{} does not fit {}: {}", second_.path.string(), first_.path.string(), why));
  }

  const FileRuns& first_;
  const FileRuns& second_;
  const MergeOptions& options_;
};

}  // namespace

FileRuns runs_of(const Store& store) {
  FileRuns file{store.path(), {}};
  for (RunRecord& run : store.runs()) {
    FileRun& entry = file.runs.emplace_back();
    for (const Session& session : store.sessions(run.id)) {
      entry.program_versions.insert(session.environment.program_version);
    }
    entry.run = std::move(run);
  }
  return file;
}

std::string run_text(const RunRecord& run) {
  return fmt::format("{} {} of {}", run.plan.task, mode_label(run.plan), run.checkpoint.name);
}

void require_fit(const FileRuns& first, const FileRuns& second, const MergeOptions& options) {
  const Pairing pairing(first, second, options);
  for (const FileRun& a : first.runs) {
    for (const FileRun& b : second.runs) pairing.require_fit(a, b);
  }
}

}  // namespace fbt::results
