// A task's definition, then a row of JSON through it: the two stand on both sides
// of the first line that holds only "---".

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/json_lines.h"
#include "tasks/definition.h"
#include "tasks/example.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fbt::tasks;
  constexpr std::string_view kBorder = "\n---\n";
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t border = text.find(kBorder);
  try {
    const auto definitions = parse_definitions(text.substr(0, border), "fuzz.json");
    if (border == std::string_view::npos) return 0;
    const auto value = fbt::parse_ordered_json(text.substr(border + kBorder.size()), "row");
    for (const Definition& definition : definitions) {
      TemplateScope scope = definition.scope;
      for (const auto& [name, file] : definition.texts) scope.constants[name] = file;
      const ExampleBuilder builder(definition, scope);
      builder.document({value, "row", 1});
      builder.few_shot({value, "row", 1});
    }
  } catch (const fbt::InputError&) {
  }
  return 0;
}
