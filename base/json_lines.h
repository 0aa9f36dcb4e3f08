#pragma once

// JSON Lines: one JSON value a line, UTF-8, lines end at '\n' only (text may
// hold U+2028 and other separators that are not line ends). Blank lines are skipped.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <istream>
#include <string_view>

#include <nlohmann/json.hpp>

namespace fbt {

// Calls `row(value, line)` for each value, lines counted from 1.
// Throws InputError with `name` and the line on malformed JSON.
void for_each_json_line(std::string_view content, std::string_view name,
                        const std::function<void(nlohmann::json&&, std::size_t line)>& row);

// The same for a file (.gz too).
void for_each_json_line(const std::filesystem::path& path,
                        const std::function<void(nlohmann::json&&, std::size_t line)>& row);

// The same for a stream, line by line as they come; memory for one line only.
void for_each_json_line(std::istream& input, std::string_view name,
                        const std::function<void(nlohmann::json&&, std::size_t line)>& row);

// Calls `use(text, line)` for each line that is not blank, lines counted from 1.
void for_each_line(std::string_view content,
                   const std::function<void(std::string_view text, std::size_t line)>& use);

// Parses one JSON text. Throws InputError: "NAME is not valid JSON: byte N, ...".
nlohmann::json parse_json(std::string_view text, std::string_view name);
// The same, with the keys of objects in the order of the text.
nlohmann::ordered_json parse_ordered_json(std::string_view text, std::string_view name);

// One line of JSON. Bytes that are not UTF-8 become U+FFFD: never throws for text.
std::string dump_json(const nlohmann::json& value);

}  // namespace fbt
