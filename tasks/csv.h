#pragma once

// Comma-separated values as RFC 4180 has them: fields may be quoted, quoted
// fields may hold commas, line ends and doubled quotes, and are kept byte for byte.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fbt::tasks {

// Calls `use(fields, line)` for each record with the line it starts on, from 1.
// Blank lines are skipped. Throws InputError with `name` and the line for a quote
// that is never closed and for text after a closing quote.
void for_each_csv_record(
    std::string_view content, std::string_view name,
    const std::function<void(std::vector<std::string>&& fields, std::size_t line)>& use);

}  // namespace fbt::tasks
