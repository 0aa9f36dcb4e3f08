#include "scorers/math/function.h"

#include <array>

namespace fbt::scorers::math {

namespace {

struct Pair {
  std::string_view name;
  std::string_view inverse;
};

constexpr std::array<Pair, 12> kInvertible = {{{"sin", "arcsin"},
                                               {"cos", "arccos"},
                                               {"tan", "arctan"},
                                               {"cot", "arccot"},
                                               {"sec", "arcsec"},
                                               {"csc", "arccsc"},
                                               {"sinh", "arsinh"},
                                               {"cosh", "arcosh"},
                                               {"tanh", "artanh"},
                                               {"coth", ""},
                                               {"ln", ""},
                                               {"exp", ""}}};

}  // namespace

bool is_prefix_function(std::string_view name) {
  for (const Pair& pair : kInvertible) {
    if (name == pair.name || (!pair.inverse.empty() && name == pair.inverse)) return true;
  }
  return name == "cis" || name == "sgn" || name == "Re" || name == "Im" || name == "arg";
}

bool is_list_function(std::string_view name) {
  return name == "gcd" || name == "lcm" || name == "max" || name == "min";
}

std::string_view inverse_function(std::string_view name) {
  for (const Pair& pair : kInvertible) {
    if (name == pair.name) return pair.inverse;
  }
  return {};
}

}  // namespace fbt::scorers::math
