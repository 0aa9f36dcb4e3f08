#include "tasks/synthetic/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace fbt::synthetic {
namespace {

using List = std::vector<int>;

const List& list(const Value& value) {
  return std::get<List>(value);
}
const std::string& str(const Value& value) {
  return std::get<std::string>(value);
}
int number(const Value& value) {
  return std::get<int>(value);
}

template <typename Function>
Value map_list(const Value& value, Function function) {
  List out;
  for (const int x : list(value)) out.push_back(function(x));
  return out;
}

template <typename Predicate>
Value keep(const Value& value, Predicate predicate) {
  List out;
  for (const int x : list(value)) {
    if (predicate(x)) out.push_back(x);
  }
  return out;
}

// The slices [:k], [k:] and [-k:] of a list or a string, k > 0.
template <typename Sequence>
Sequence first(const Sequence& all, int k) {
  return {all.begin(), all.begin() + std::min<std::size_t>(k, all.size())};
}
template <typename Sequence>
Sequence after(const Sequence& all, int k) {
  return {all.begin() + std::min<std::size_t>(k, all.size()), all.end()};
}
template <typename Sequence>
Sequence last(const Sequence& all, int k) {
  return {all.end() - std::min<std::size_t>(k, all.size()), all.end()};
}

List sorted(List all) {
  std::sort(all.begin(), all.end());
  return all;
}

template <typename Sequence>
Sequence reversed(const Sequence& all) {
  return {all.rbegin(), all.rend()};
}

constexpr int kNone = -1;  // as `high`: a step without a constant

const std::array kListMaps{
    Step{"add", "add {} to every number", "[x + {} for x in nums]", 1, 9,
         [](const Value& v, int k) { return map_list(v, [k](int x) { return x + k; }); }},
    Step{"subtract", "subtract {} from every number", "[x - {} for x in nums]", 1, 9,
         [](const Value& v, int k) { return map_list(v, [k](int x) { return x - k; }); }},
    Step{"multiply", "multiply every number by {}", "[x * {} for x in nums]", 2, 5,
         [](const Value& v, int k) { return map_list(v, [k](int x) { return x * k; }); }},
    Step{"above", "keep the numbers above {}", "[x for x in nums if x > {}]", 2, 9,
         [](const Value& v, int k) { return keep(v, [k](int x) { return x > k; }); }},
    Step{"below", "keep the numbers below {}", "[x for x in nums if x < {}]", 5, 15,
         [](const Value& v, int k) { return keep(v, [k](int x) { return x < k; }); }},
    Step{"even", "keep the even numbers", "[x for x in nums if x % 2 == 0]", 0, kNone,
         [](const Value& v, int) { return keep(v, [](int x) { return x % 2 == 0; }); }},
    Step{"odd", "keep the odd numbers", "[x for x in nums if x % 2 == 1]", 0, kNone,
         // Python's % is never negative for a positive divisor.
         [](const Value& v, int) { return keep(v, [](int x) { return x % 2 != 0; }); }},
    Step{"sort", "sort the list", "sorted(nums)", 0, kNone,
         [](const Value& v, int) -> Value { return sorted(list(v)); }},
    Step{"descend", "sort the list from high to low", "sorted(nums, reverse=True)", 0, kNone,
         [](const Value& v, int) -> Value { return reversed(sorted(list(v))); }},
    Step{"reverse", "reverse the list", "nums[::-1]", 0, kNone,
         [](const Value& v, int) -> Value { return reversed(list(v)); }},
    Step{"first", "keep the first {} numbers", "nums[:{}]", 2, 3,
         [](const Value& v, int k) -> Value { return first(list(v), k); }},
    Step{"last", "keep the last {} numbers", "nums[-{}:]", 2, 3,
         [](const Value& v, int k) -> Value { return last(list(v), k); }},
};

const std::array kListReduces{
    Step{"sum", "return the sum", "sum(nums)", 0, kNone,
         [](const Value& v, int) -> Value {
           return std::accumulate(list(v).begin(), list(v).end(), 0);
         }},
    Step{"max", "return the largest", "max(nums)", 0, kNone,
         [](const Value& v, int) -> Value {
           return *std::max_element(list(v).begin(), list(v).end());
         }},
    Step{"min", "return the smallest", "min(nums)", 0, kNone,
         [](const Value& v, int) -> Value {
           return *std::min_element(list(v).begin(), list(v).end());
         }},
    Step{"count", "return how many there are", "len(nums)", 0, kNone,
         [](const Value& v, int) -> Value { return static_cast<int>(list(v).size()); }},
};

const std::array kNumberMaps{
    Step{"add", "add {}", "n + {}", 1, 20,
         [](const Value& v, int k) -> Value { return number(v) + k; }},
    Step{"subtract", "subtract {}", "n - {}", 1, 20,
         [](const Value& v, int k) -> Value { return number(v) - k; }},
    Step{"multiply", "multiply by {}", "n * {}", 2, 9,
         [](const Value& v, int k) -> Value { return number(v) * k; }},
    Step{"square", "square it", "n * n", 0, kNone,
         [](const Value& v, int) -> Value { return number(v) * number(v); }},
    Step{"negate", "change the sign", "-n", 0, kNone,
         [](const Value& v, int) -> Value { return -number(v); }},
    Step{"cap", "cap it at {}", "min(n, {})", 10, 30,
         [](const Value& v, int k) -> Value { return std::min(number(v), k); }},
};

const std::array kStringMaps{
    Step{"upper", "make it upper case", "text.upper()", 0, kNone,
         [](const Value& v, int) -> Value {
           std::string out = str(v);
           for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
           return out;
         }},
    Step{"reverse", "reverse it", "text[::-1]", 0, kNone,
         [](const Value& v, int) -> Value { return reversed(str(v)); }},
    Step{"first", "keep the first {} letters", "text[:{}]", 2, 4,
         [](const Value& v, int k) -> Value { return first(str(v), k); }},
    Step{"drop", "drop the first {} letters", "text[{}:]", 1, 3,
         [](const Value& v, int k) -> Value { return after(str(v), k); }},
    Step{"last", "keep the last {} letters", "text[-{}:]", 2, 4,
         [](const Value& v, int k) -> Value { return last(str(v), k); }},
    Step{"repeat", "repeat it {} times", "text * {}", 2, 4,
         [](const Value& v, int k) -> Value {
           std::string out;
           for (int i = 0; i < k; ++i) out += str(v);
           return out;
         }},
};

const std::array kStringReduces{
    Step{"length", "return its length", "len(text)", 0, kNone,
         [](const Value& v, int) -> Value { return static_cast<int>(str(v).size()); }},
};

const std::array kKinds{
    Kind{"list", "nums", "a list of numbers", kListMaps, kListReduces},
    Kind{"number", "n", "a number", kNumberMaps, {}},
    Kind{"string", "text", "a string", kStringMaps, kStringReduces},
};

}  // namespace

std::string python_literal(const Value& value) {
  if (const int* number = std::get_if<int>(&value)) return std::to_string(*number);
  if (const std::string* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
  return fmt::format("[{}]", fmt::join(std::get<List>(value), ", "));
}

std::span<const Kind> kinds() {
  return kKinds;
}

}  // namespace fbt::synthetic
