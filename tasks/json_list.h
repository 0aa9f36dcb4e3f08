#pragma once

// A JSON file that holds a list, item by item.

#include <cstddef>
#include <functional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace fbt::tasks {

// Calls `use(value, line)` for each item of the list with the line it starts on,
// from 1; memory for one item only. Throws InputError with `name` for what is no
// JSON (after the items before the fault) and what is no list.
void for_each_json_item(std::string_view content, std::string_view name,
                        const std::function<void(nlohmann::ordered_json&&, std::size_t line)>& use);

}  // namespace fbt::tasks
