#pragma once

// Text that goes into HTML, SVG and script elements. Completions and names come
// from models and strangers: everything that is written goes through here.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace fbt::results {

// For element content and quoted attributes. Invalid UTF-8, control characters
// other than tab and line end, and marks that turn the direction of the text
// around become U+FFFD.
std::string escape_markup(std::string_view text);

// One line of JSON that is safe inside <script type="application/json">: '<', '>',
// '&' and the line separators of Unicode appear as \uXXXX only. Invalid UTF-8
// becomes U+FFFD.
std::string script_json(const nlohmann::json& value);

}  // namespace fbt::results
