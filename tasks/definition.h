#pragma once

// A task's definition: the JSON file that says what its documents, prompts,
// choices, answers and metrics are. docs/tasks.md explains every key.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tasks/rows.h"
#include "tasks/task.h"
#include "tasks/template.h"

namespace fbt::tasks {

enum class Sampler {
  kRandom,  // Python's Random(1234).sample, advancing from document to document
  kFirst,   // the first rows, in order
};

struct FewShotDefinition {
  RowFile rows;
  int shots = 0;  // by default
  Sampler sampler = Sampler::kRandom;
  // Examples drawn beyond those asked for. lm-eval draws one more for tasks
  // that have no test split of their own, and leaves out the document itself.
  int extra = 0;
  std::string answer;  // template; empty: the right choice, or the target
};

// Where the right choice is found.
struct IndexTarget {
  std::string index;  // template of a whole number, 0 the first choice
};
struct LabelTarget {
  std::string label;                                          // template
  std::variant<std::vector<std::string>, std::string> among;  // labels, or the path of a list
};
// The path of a list of 1 (true) and 0 (false), one for each choice.
struct TruthTarget {
  std::string labels;
};

struct ChoiceDefinition {
  // Templates, or the path of a list.
  std::variant<std::vector<std::string>, std::string> choices;
  std::variant<IndexTarget, LabelTarget, TruthTarget> target;
  // Not empty (partial scoring, as WinoGrande's): the choices stand in the
  // context after the prompt, and this template is every choice's continuation.
  std::string continuation;
  // lm-eval holds the text of the right choice as the target, not its index (COPA).
  bool target_is_text = false;
};

struct ChatDefinition {
  std::string prompt;  // template; the user's turn
  std::vector<std::string> until;
  std::optional<int> max_new_tokens;
};

struct GenerationDefinition {
  std::string target;  // template
  std::vector<std::string> until;
  std::optional<int> max_new_tokens;
  std::optional<ChatDefinition> chat;
  ScorerSpec scorer;
  // Templates of the Reference's fields of the same names; empty: the field stays empty.
  std::map<std::string, std::string> reference;
  std::string test_list;  // path of a list; may be empty
  SamplingDefaults sampling;
};

struct Definition {
  std::string name;
  std::string title;
  std::vector<std::string> aliases;
  std::string where;  // the file it came from, for messages
  RowFile documents;
  std::optional<FewShotDefinition> few_shot;
  std::map<std::string, std::string> texts;  // constant's name -> file that holds it
  // The variables of the definition's family (for_each) and its maps. Texts come
  // in when the data is loaded.
  TemplateScope scope;
  std::string description;  // opens every context; constants only
  std::string prompt;       // template
  std::string target_delimiter = " ";
  std::string few_shot_delimiter = "\n\n";
  std::vector<std::string> metrics;  // the primary one first
  std::variant<ChoiceDefinition, GenerationDefinition> kind;

  TaskKind task_kind() const;
  // Every file that the task reads.
  std::vector<std::string> files() const;
};

// The definitions in one file: one, or one for each value of "for_each".
// `where` names the file in messages. Throws InputError that names the key.
std::vector<Definition> parse_definitions(std::string_view json, const std::string& where);

}  // namespace fbt::tasks
