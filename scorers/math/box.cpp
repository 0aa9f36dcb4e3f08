#include <algorithm>
#include <cctype>
#include <vector>

#include "scorers/math/extract.h"

namespace fbt::scorers::math {

namespace {

// A box without braces ends with the maths or the line, and not later than this.
constexpr std::size_t kMaxBareLength = 200;

// Length of the box command at `offset`, or 0.
std::size_t box_command(std::string_view text, std::size_t offset) {
  for (std::string_view name : {"\\boxed", "\\fbox"}) {
    if (!text.substr(offset).starts_with(name)) continue;
    const std::size_t end = offset + name.size();
    const bool longer = end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]));
    return longer ? 0 : name.size();
  }
  return 0;
}

}  // namespace

std::optional<Box> last_box(std::string_view text) {
  struct Group {
    std::size_t brace;
    std::optional<std::size_t> command;  // where the box command of this group starts
  };
  // One pass with a stack of open groups: linear, however many never close.
  std::vector<Group> open;
  std::optional<Box> last;
  const auto keep = [&last](const Box& box) {
    if (!last || box.offset >= last->offset) last = box;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::size_t length = box_command(text, i);
      if (length == 0) {
        ++i;  // \{ and \} are no group
        continue;
      }
      const std::size_t content = text.find_first_not_of(' ', i + length);
      if (content == std::string_view::npos) break;
      if (text[content] == '{') {
        open.push_back({content, i});
        i = content;
      } else {
        const std::size_t limit = std::min(text.size(), content + kMaxBareLength);
        const std::size_t end =
            std::min(text.substr(0, limit).find_first_of("$\n}", content), limit);
        if (end > content) keep({text.substr(content, end - content), i, end});
        i = content - 1;
      }
    } else if (text[i] == '{') {
      open.push_back({i, std::nullopt});
    } else if (text[i] == '}' && !open.empty()) {
      const Group group = open.back();
      open.pop_back();
      if (group.command) {
        keep({text.substr(group.brace + 1, i - group.brace - 1), *group.command, i + 1});
      }
    }
  }
  return last;
}

}  // namespace fbt::scorers::math
