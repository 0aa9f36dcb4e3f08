#include "harness/run/options.h"

#include <charconv>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::run {

Shard parse_shard(std::string_view text) {
  Shard shard{0, 0};
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const char* const middle = text.data() + slash;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), middle, shard.index);
    const auto second = std::from_chars(middle + 1, end, shard.count);
    const bool whole = first.ptr == middle && second.ptr == end && first.ec == std::errc() &&
                       second.ec == std::errc();
    if (whole && shard.index >= 1 && shard.index <= shard.count) return shard;
  }
  throw InputError(fmt::format("--shard {} is not i/n with 1 <= i <= n, as 2/8", text));
}

}  // namespace fbt::run
