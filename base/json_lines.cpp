#include "base/json_lines.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace fbt {
namespace {

template <typename Json>
Json parse(std::string_view text, std::string_view name) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError(fmt::format("{} is not valid JSON (at byte {})", name, error.byte));
  } catch (const nlohmann::json::out_of_range&) {
    throw InputError(fmt::format("{} holds a number too large to represent", name));
  }
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

void for_each_line(std::string_view content,
                   const std::function<void(std::string_view text, std::size_t line)>& use) {
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    const std::string_view text = content.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    if (!is_blank(text)) use(text, line);
  }
}

void for_each_json_line(std::string_view content, std::string_view name,
                        const std::function<void(nlohmann::json&&, std::size_t line)>& row) {
  for_each_line(content, [&](std::string_view text, std::size_t line) {
    row(parse_json(text, fmt::format("{}:{}", name, line)), line);
  });
}

void for_each_json_line(const std::filesystem::path& path,
                        const std::function<void(nlohmann::json&&, std::size_t line)>& row) {
  for_each_json_line(read_file(path), path.string(), row);
}

void for_each_json_line(std::istream& input, std::string_view name,
                        const std::function<void(nlohmann::json&&, std::size_t line)>& row) {
  std::string text;
  for (std::size_t line = 1; std::getline(input, text); ++line) {
    if (!is_blank(text)) row(parse_json(text, fmt::format("{}:{}", name, line)), line);
  }
}

nlohmann::json parse_json(std::string_view text, std::string_view name) {
  return parse<nlohmann::json>(text, name);
}

nlohmann::ordered_json parse_ordered_json(std::string_view text, std::string_view name) {
  return parse<nlohmann::ordered_json>(text, name);
}

std::string dump_json(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace fbt
