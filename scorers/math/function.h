#pragma once

// The functions that the evaluators know, by the names used in Node::text.

#include <string_view>

namespace fbt::scorers::math {

// Functions of one argument written without parentheses (\sin x): sin … arccsc,
// sinh …, ln, exp. `log` takes a base and is apart.
bool is_prefix_function(std::string_view name);

// gcd, lcm, max, min: functions of a list in parentheses.
bool is_list_function(std::string_view name);

// sin → arcsin, for \sin^{-1}; empty where there is none.
std::string_view inverse_function(std::string_view name);

}  // namespace fbt::scorers::math
