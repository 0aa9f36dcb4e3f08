#pragma once

// The steps that generated Python functions are made of.

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace fbt::synthetic {

// A Python value: int, list of int, or str.
using Value = std::variant<int, std::vector<int>, std::string>;

// As Python's repr: 7, [1, 2], 'abc'.
std::string python_literal(const Value& value);

struct Step {
  const char* name;    // its part of the function's name: "add"
  const char* phrase;  // in words, {} for the constant: "add {} to every number"
  const char* code;    // a Python expression, {} for the constant: "[x + {} for x in nums]"
  int low;             // range of the constant; high < low: there is none
  int high;
  Value (*apply)(const Value& input, int constant);
};

// One kind of argument and what may be done with it.
struct Kind {
  const char* name;               // "list"
  const char* variable;           // "nums"
  const char* object;             // in words: "a list of numbers"
  std::span<const Step> maps;     // from the kind to itself
  std::span<const Step> reduces;  // from the kind to an int, none of them for an empty list
};

std::span<const Kind> kinds();

}  // namespace fbt::synthetic
