#include "harness/backend/mode.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"

namespace fbt {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"standard", "soft", "fused"};

}  // namespace

std::string_view mode_name(Mode mode) {
  return kNames[static_cast<std::size_t>(mode)];
}

Mode parse_mode(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    throw InputError(unknown_name_message("mode", name, {kNames.begin(), kNames.end()}));
  }
  return static_cast<Mode>(found - kNames.begin());
}

std::vector<Mode> parse_modes(std::string_view list) {
  std::vector<Mode> modes;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const Mode mode = parse_mode(list.substr(begin, end - begin));
    if (std::find(modes.begin(), modes.end(), mode) == modes.end()) modes.push_back(mode);
    begin = end + 1;
  }
  return modes;
}

bool needs_feedback(Mode mode) {
  return mode != Mode::kStandard;
}

}  // namespace fbt
