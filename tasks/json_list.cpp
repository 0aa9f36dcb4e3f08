#include "tasks/json_list.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tasks {
namespace {

using Json = nlohmann::ordered_json;
using Event = Json::parse_event_t;

// The characters of a text; counts the lines of those that were read.
class CountedCharacters {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedCharacters(const char* at, std::size_t* line) : at_(at), line_(line) {}

  reference operator*() const { return *at_; }
  CountedCharacters& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  CountedCharacters operator++(int) {
    const CountedCharacters before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountedCharacters& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* line_;
};

}  // namespace

void for_each_json_item(
    std::string_view content, std::string_view name,
    const std::function<void(nlohmann::ordered_json&&, std::size_t line)>& use) {
  std::size_t line = 1;
  std::size_t item_line = 1;
  bool is_list = false;
  const auto take_items = [&](int depth, Event event, Json& value) {
    if (depth == 0) is_list = is_list || event == Event::array_start;
    if (depth != 1 || !is_list) return true;
    if (event == Event::object_start || event == Event::array_start) {
      item_line = line;
      return true;
    }
    use(std::move(value), event == Event::value ? line : item_line);
    return false;  // not kept
  };
  Json emptied;
  try {
    emptied = Json::parse(CountedCharacters(content.data(), &line),
                          CountedCharacters(content.data() + content.size(), &line), take_items);
  } catch (const nlohmann::json::parse_error&) {
    throw InputError(fmt::format("{} is not valid JSON (line {})", name, line));
  } catch (const nlohmann::json::out_of_range&) {
    throw InputError(fmt::format("{}:{} holds a number too large to represent", name, line));
  }
  if (!emptied.is_array()) throw InputError(fmt::format("{} must hold a list", name));
}

}  // namespace fbt::tasks
