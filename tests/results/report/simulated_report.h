#pragma once

// Results files for the report's tests, written through the stores as a harness
// would.

#include <filesystem>
#include <string>
#include <string_view>

namespace fbt::results::testing {

// Text that tries to break out of a page: closing tags, a NUL, bytes that are not
// UTF-8, direction overrides, line separators, template braces.
inline constexpr char kHostileBytes[] =
    "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>\0\xff\xfe "
    "\xe2\x80\xae"
    "gnirts\xe2\x80\xac \xe2\x80\xa8 {{data}} <!-- &lt; \" ' ` ${1}";
inline constexpr std::string_view kHostileText{kHostileBytes, sizeof(kHostileBytes) - 1};

// A ladder of checkpoints of both families: gsm8k in three modes, humaneval with a
// grid, arc_easy at 0 to 3 feedback steps; stability and probe experiments.
void write_ladder(const std::filesystem::path& database);

// One checkpoint whose texts, targets and name are hostile.
void write_hostile(const std::filesystem::path& database);

// `samples` greedy completions over two modes of one checkpoint.
void write_many(const std::filesystem::path& database, int samples);

}  // namespace fbt::results::testing
