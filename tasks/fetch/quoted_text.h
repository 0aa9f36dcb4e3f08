#pragma once

// Texts that stand as quoted strings in other programs' files.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fbt::tasks {

// The value of the next `"KEY": "…"` at or after `at`, in Python: adjacent
// strings are joined, escapes resolved. Advances `at` past it. Nothing where
// there is none.
std::optional<std::string> next_python_entry(std::string_view source, std::string_view key,
                                             std::size_t& at);

// The double-quoted scalar of YAML's `KEY: "…"`: escapes resolved, escaped line
// ends joined with the next line's text.
std::optional<std::string> yaml_double_quoted(std::string_view yaml, std::string_view key);

}  // namespace fbt::tasks
