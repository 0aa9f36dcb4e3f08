#pragma once

// Complex numbers in high precision that carry a bound on their error (a
// running error analysis), so that a zero test can tell "zero" from "small" and
// "cancelled" from "equal".

#include <optional>

#include "scorers/math/real.h"

namespace fbt::scorers::math {

struct Approximate {
  Real re;
  Real im;
  double error;  // |true value - this| <= 2^error, up to a few bits

  long precision() const { return re.precision(); }
  bool is_real() const { return im.zero(); }
  bool finite() const { return re.finite() && im.finite(); }
  // As Real::exponent, of the larger part.
  long exponent() const;
  // Nothing but rounding errors is left of it.
  bool is_zero() const { return finite() && static_cast<double>(exponent()) <= error + 2; }
};

using MaybeApproximate = std::optional<Approximate>;

Approximate approximate(const mpq_class& value, long precision);
Approximate approximate_pi(long precision);
Approximate imaginary_unit(long precision);

Approximate operator+(const Approximate& a, const Approximate& b);
Approximate operator-(const Approximate& a, const Approximate& b);
Approximate operator*(const Approximate& a, const Approximate& b);
Approximate operator-(const Approximate& a);
Approximate real_part(const Approximate& a);
Approximate imaginary_part(const Approximate& a);

// Nothing where the function has no value there: division by zero, a logarithm of
// zero, an argument that needs more digits than the precision gives.
MaybeApproximate divide(const Approximate& a, const Approximate& b);
MaybeApproximate exp(const Approximate& a);
MaybeApproximate log(const Approximate& a);  // principal branch
MaybeApproximate sqrt(const Approximate& a);
MaybeApproximate sin(const Approximate& a);
MaybeApproximate cos(const Approximate& a);
MaybeApproximate arcsin(const Approximate& a);  // real arguments in [-1, 1]
MaybeApproximate arctan(const Approximate& a);
MaybeApproximate power(const Approximate& a, const Approximate& b);
MaybeApproximate integer_power(const Approximate& a, long n);
// log Γ(1 + a) for real a > -1.
MaybeApproximate log_factorial(const Approximate& a);
Approximate magnitude(const Approximate& a);

}  // namespace fbt::scorers::math
