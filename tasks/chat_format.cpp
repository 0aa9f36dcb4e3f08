#include "tasks/chat_format.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/json_object.h"
#include "tasks/embedded.h"

namespace fbt::tasks {
namespace {

ChatFormat::Turn parse_turn(JsonObject& object, const std::string& role) {
  if (!object.has(role)) return {};
  JsonObject turn = object.object(role);
  ChatFormat::Turn parsed{turn.text("prefix", ""), turn.text("suffix", "")};
  turn.finish();
  return parsed;
}

ChatFormat parse_format(JsonObject object) {
  ChatFormat format;
  format.name = object.text("name");
  format.begin = object.text("begin", "");
  format.system = parse_turn(object, "system");
  format.user = parse_turn(object, "user");
  format.assistant = parse_turn(object, "assistant");
  format.stop = object.texts("stop", {});
  object.finish();
  return format;
}

std::vector<ChatFormat> built_in_formats() {
  const JsonObject::Json value = parse_ordered_json(chat_formats_json(), "chat_formats.json");
  std::vector<ChatFormat> formats;
  for (JsonObject& object : JsonObject(value, "chat_formats.json").objects("formats")) {
    formats.push_back(parse_format(std::move(object)));
  }
  return formats;
}

}  // namespace

std::string ChatFormat::wrap(std::string_view user_text) const {
  return fmt::format("{}{}{}{}{}", begin, user.prefix, user_text, user.suffix, assistant.prefix);
}

std::vector<std::string> chat_format_names() {
  std::vector<std::string> names;
  for (const ChatFormat& format : built_in_formats()) names.push_back(format.name);
  return names;
}

ChatFormat load_chat_format(const std::string& name_or_path) {
  if (name_or_path.ends_with(".json")) {
    const JsonObject::Json value = parse_ordered_json(read_file(name_or_path), name_or_path);
    return parse_format(JsonObject(value, name_or_path));
  }
  for (ChatFormat& format : built_in_formats()) {
    if (format.name == name_or_path) return std::move(format);
  }
  throw InputError(unknown_name_message("chat format", name_or_path, chat_format_names()) +
                   " (or the path of a .json file)");
}

}  // namespace fbt::tasks
