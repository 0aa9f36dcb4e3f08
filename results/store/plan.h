#pragma once

// A plan: every setting that can change an answer of one task in one mode.
// Two runs of a checkpoint under plans of the same hash are the same run, so an
// interrupted one continues; runs of different checkpoints may be put side by
// side where their plans agree on prompts, shots, data and metrics.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fbt::results {

// A figure computed per document, averaged over documents.
struct Metric {
  std::string name;        // "acc", "exact_match", "pass@1": as in document_scores
  std::string definition;  // how a document's value is made, in words with a version:
                           // two figures compare only where these are equal
  bool operator==(const Metric&) const = default;
};

// A named mean over tasks and other groups, as "lm-eval-10". Shown where all of
// them are there.
struct TaskGroup {
  enum class Mean {
    kPlain,         // every member counts the same
    kSizeWeighted,  // every document of every task inside counts the same
  };

  std::string name;
  std::vector<std::string> members;  // names of tasks, and of groups of their plans
  Mean mean = Mean::kPlain;
  bool operator==(const TaskGroup&) const = default;
};

struct Plan {
  std::string task;
  std::string mode;  // "standard", "soft", "fused"
  std::string kind;  // "log_likelihood" or "generation"
  int shots = 0;
  std::optional<int> limit;  // first documents only
  int feedback_steps = 0;
  std::vector<double> temperatures;  // empty for log-likelihood tasks; {0} for greedy
  int samples = 1;                   // per document and temperature
  std::vector<int> k;                // of Pass@k
  int max_new_tokens = 0;
  std::uint64_t seed = 0;
  std::string dtype;
  std::string chat_format;  // empty: none
  bool batch_invariant = false;
  std::string prompts_hash;  // of all prompt texts in order
  std::string data_hash;     // of the data files read
  std::vector<Metric> metrics;
  std::string primary_metric;     // one of `metrics`
  std::vector<TaskGroup> groups;  // groups this task is inside, directly or through others
  // Whatever else changes answers ("stop", "task_version", …).
  std::map<std::string, std::string> other;

  bool operator==(const Plan&) const = default;
};

// "plain" or "size_weighted".
std::string_view group_mean_name(TaskGroup::Mean mean);

// One line of JSON with sorted keys: equal plans give equal texts.
std::string plan_to_json(const Plan& plan);

// Throws InputError naming `where` and the key that is missing or of a wrong type.
Plan plan_from_json(std::string_view text, std::string_view where);

// SHA-256 of plan_to_json.
std::string plan_hash(const Plan& plan);

// "standard", "soft", "fused"; "fused-2" with two feedback steps: what tables
// call the mode.
std::string mode_label(const Plan& plan);

// A setting as text, by its key in the JSON: "5", "[0.3,0.5]", "none" for null
// and empty. Precondition: require_plan_setting(key) does not throw.
std::string plan_setting(const Plan& plan, const std::string& key);
// Throws InputError with the nearest names where plans have no such key.
void require_plan_setting(const std::string& key);

// Names of the settings in which `a` and `b` differ, each as "shots (0 and 5)".
// `only_comparable` leaves out those in which runs put side by side may differ
// (mode, feedback steps, dtype, seed, sampling), so that what remains makes
// figures incomparable: task, shots, limit, chat format, prompts, data, metrics.
std::vector<std::string> plan_differences(const Plan& a, const Plan& b, bool only_comparable);

}  // namespace fbt::results
