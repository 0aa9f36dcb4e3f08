// A template of a definition, and the row of JSON that it renders: the first line
// and the rest. What it gives must not depend on anything else.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/json_lines.h"
#include "tasks/template.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fbt::tasks;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const TemplateScope scope{{{"name", "value"}}, {{"map", {{"a", "b"}}}}};
  try {
    const Template compiled(text.substr(0, line), scope, "fuzz");
    if (line == std::string_view::npos) return 0;
    const auto value = fbt::parse_ordered_json(text.substr(line + 1), "row");
    const Row row{value, "row", 1};
    if (compiled.render(row) != compiled.render(row)) std::abort();
  } catch (const fbt::InputError&) {
  }
  return 0;
}
