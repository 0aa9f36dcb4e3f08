#pragma once

// Evaluation in high precision.

#include <string>
#include <utility>
#include <vector>

#include "scorers/math/approximate.h"
#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

using Bindings = std::vector<std::pair<std::string, Approximate>>;

struct NumericOptions {
  long precision = 192;           // bits
  bool common_logarithm = false;  // \log without a base: base ten, else e
  bool degrees_outside = false;   // x° counts as x π/180 outside functions too
};

struct NumericResult {
  MaybeApproximate value;
  // Where there is no value: the expression holds something the evaluator does not
  // know, or a number too large for it; otherwise it is undefined at this point.
  bool unknown = false;
  bool too_large = false;
};

// Odd roots of negative reals are the real ones; other powers are principal. An
// unknown function f(x) counts as a fixed smooth function that depends on its name.
NumericResult evaluate_numerically(const Node& node, const Bindings& bindings,
                                   const NumericOptions& options, Budget& budget);

// log |value| of a product, power, factorial or binomial that may be too large to
// form. Nothing where `node` is none, is not positive, or holds variables.
MaybeApproximate evaluate_logarithm(const Node& node, const NumericOptions& options,
                                    Budget& budget);

// Gives MPFR its full exponent range on this thread while it lives.
class WideExponents {
 public:
  WideExponents();
  ~WideExponents();
  WideExponents(const WideExponents&) = delete;
  WideExponents& operator=(const WideExponents&) = delete;

 private:
  mpfr_exp_t smallest_;
  mpfr_exp_t largest_;
};

}  // namespace fbt::scorers::math
