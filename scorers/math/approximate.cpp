#include "scorers/math/approximate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace fbt::scorers::math {

namespace {

// Larger arguments of sin and exp need more digits than any answer is worth.
constexpr long kMaxArgumentExponent = 64;

// log2(2^a + 2^b)
double sum_of_errors(double a, double b) {
  const double larger = std::max(a, b);
  const double gap = larger - std::min(a, b);
  return gap > 60 ? larger : larger + std::log2(1 + std::exp2(-gap));
}

Approximate make(Real re, Real im, double propagated) {
  Approximate result{std::move(re), std::move(im), propagated};
  // Rounding: half a unit in the last place of either part.
  const auto rounding = static_cast<double>(result.exponent() - result.precision());
  result.error = sum_of_errors(propagated, rounding);
  return result;
}

Approximate make_real(Real re, double error) {
  Real im(re.precision());
  return make(std::move(re), std::move(im), error);
}

// A part that is nothing but error is zero: it must not choose a branch.
Approximate snapped(Approximate a) {
  if (!a.im.zero() && a.im.exponent() <= a.error + 2) a.im = Real(a.precision());
  if (!a.re.zero() && a.re.exponent() <= a.error + 2) a.re = Real(a.precision());
  return a;
}

}  // namespace

long Approximate::exponent() const {
  return std::max(re.exponent(), im.exponent());
}

Approximate approximate(const mpq_class& value, long precision) {
  Real re(value, precision);
  const auto error = static_cast<double>(re.exponent() - precision);
  return {std::move(re), Real(precision), error};
}

Approximate approximate_pi(long precision) {
  Real pi(precision);
  mpfr_const_pi(pi.get(), MPFR_RNDN);
  return {std::move(pi), Real(precision), 2.0 - static_cast<double>(precision)};
}

Approximate imaginary_unit(long precision) {
  return {Real(precision), Real(1, precision), -static_cast<double>(precision)};
}

Approximate operator+(const Approximate& a, const Approximate& b) {
  return make(a.re + b.re, a.im + b.im, sum_of_errors(a.error, b.error));
}

Approximate operator-(const Approximate& a, const Approximate& b) {
  return make(a.re - b.re, a.im - b.im, sum_of_errors(a.error, b.error));
}

Approximate operator-(const Approximate& a) {
  return {-a.re, -a.im, a.error};
}

Approximate real_part(const Approximate& a) {
  return {a.re, Real(a.precision()), a.error};
}

Approximate imaginary_part(const Approximate& a) {
  return {a.im, Real(a.precision()), a.error};
}

Approximate operator*(const Approximate& a, const Approximate& b) {
  const double error = sum_of_errors(sum_of_errors(a.error + b.exponent(), b.error + a.exponent()),
                                     a.error + b.error);
  if (a.is_real() && b.is_real()) return make_real(a.re * b.re, error);
  return make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re, error + 1);
}

MaybeApproximate divide(const Approximate& a, const Approximate& b) {
  if (b.is_zero()) return std::nullopt;
  const long b_exponent = b.exponent();
  // |δ(a/b)| <= (δa + |a/b| δb) / |b|
  const long quotient = a.exponent() - b_exponent + 1;
  const double error = sum_of_errors(a.error, quotient + b.error) - b_exponent + 1;
  if (a.is_real() && b.is_real()) return make_real(a.re / b.re, error);
  const Real norm = b.re * b.re + b.im * b.im;
  return make((a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm, error + 1);
}

MaybeApproximate exp(const Approximate& a) {
  if (a.error > 0 || a.exponent() > kMaxArgumentExponent) return std::nullopt;
  const Real size = Real::unary(mpfr_exp, a.re);
  if (!size.finite()) return std::nullopt;
  const double error = size.exponent() + a.error + 1;
  if (a.is_real()) return make_real(size, error);
  return make(size * Real::unary(mpfr_cos, a.im), size * Real::unary(mpfr_sin, a.im), error);
}

MaybeApproximate log(const Approximate& argument) {
  if (argument.is_zero()) return std::nullopt;
  const Approximate a = snapped(argument);
  const double error = a.error - static_cast<double>(a.exponent()) + 1;
  if (a.is_real() && !a.re.negative()) return make_real(Real::unary(mpfr_log, a.re), error);
  const Real size = Real::binary(mpfr_hypot, a.re, a.im);
  return make(Real::unary(mpfr_log, size), Real::binary(mpfr_atan2, a.im, a.re), error);
}

MaybeApproximate sqrt(const Approximate& argument) {
  const Approximate a = snapped(argument);
  if (a.is_zero()) return Approximate{Real(a.precision()), Real(a.precision()), a.error / 2 + 1};
  const double error = a.error - static_cast<double>(a.exponent()) / 2;
  if (a.is_real()) {
    if (!a.re.negative()) return make_real(Real::unary(mpfr_sqrt, a.re), error);
    return make(Real(a.precision()), Real::unary(mpfr_sqrt, -a.re), error);
  }
  // sqrt(z) = sqrt((|z| + re) / 2) + i sign(im) sqrt((|z| - re) / 2)
  const Real size = Real::binary(mpfr_hypot, a.re, a.im);
  const Real two(2, a.precision());
  const Real re = Real::unary(mpfr_sqrt, (size + a.re) / two);
  const Real im = Real::unary(mpfr_sqrt, (size - a.re) / two);
  return make(re, a.im.negative() ? -im : im, error + 2);
}

MaybeApproximate sin(const Approximate& a) {
  if (a.error > 0 || a.exponent() > kMaxArgumentExponent) return std::nullopt;
  if (a.is_real()) return make_real(Real::unary(mpfr_sin, a.re), a.error + 1);
  const Real grow = Real::unary(mpfr_cosh, a.im);
  if (!grow.finite()) return std::nullopt;
  return make(Real::unary(mpfr_sin, a.re) * grow,
              Real::unary(mpfr_cos, a.re) * Real::unary(mpfr_sinh, a.im),
              a.error + grow.exponent() + 1);
}

MaybeApproximate cos(const Approximate& a) {
  if (a.error > 0 || a.exponent() > kMaxArgumentExponent) return std::nullopt;
  if (a.is_real()) return make_real(Real::unary(mpfr_cos, a.re), a.error + 1);
  const Real grow = Real::unary(mpfr_cosh, a.im);
  if (!grow.finite()) return std::nullopt;
  return make(Real::unary(mpfr_cos, a.re) * grow,
              -(Real::unary(mpfr_sin, a.re) * Real::unary(mpfr_sinh, a.im)),
              a.error + grow.exponent() + 1);
}

MaybeApproximate arcsin(const Approximate& argument) {
  const Approximate a = snapped(argument);
  if (!a.is_real()) return std::nullopt;
  const Real one(1, a.precision());
  const Real room = one - a.re * a.re;
  if (room.exponent() <= a.error + 3) {  // at ±1, where the slope is infinite
    const Real edge = a.re.negative() ? -one : one;
    return make_real(Real::unary(mpfr_asin, edge), a.error / 2 + 2);
  }
  if (room.negative()) return std::nullopt;
  return make_real(Real::unary(mpfr_asin, a.re), a.error - room.exponent() / 2 + 2);
}

MaybeApproximate arctan(const Approximate& a) {
  if (a.is_real()) return make_real(Real::unary(mpfr_atan, a.re), a.error);
  // i/2 (log(1 - iz) - log(1 + iz))
  const Approximate one = approximate(1, a.precision());
  const Approximate turned = imaginary_unit(a.precision()) * a;
  const MaybeApproximate below = log(one - turned);
  const MaybeApproximate above = log(one + turned);
  if (!below || !above) return std::nullopt;
  return imaginary_unit(a.precision()) * approximate(mpq_class(1, 2), a.precision()) *
         (*below - *above);
}

MaybeApproximate power(const Approximate& base, const Approximate& exponent) {
  if (base.is_zero()) return std::nullopt;
  const Approximate a = snapped(base);
  if (a.is_real() && !a.re.negative() && exponent.is_real()) {
    Real value = Real::binary(mpfr_pow, a.re, exponent.re);
    if (!value.finite() || value.zero()) return std::nullopt;
    // δ(a^b)/a^b = b δa/a + log a δb
    const long log_size = std::labs(a.exponent());
    long log_bits = 1;
    while ((1L << log_bits) < log_size && log_bits < 62) ++log_bits;
    const double relative =
        sum_of_errors(exponent.exponent() + a.error - a.exponent(), log_bits + exponent.error) + 1;
    if (relative > -8) return std::nullopt;
    const double error = value.exponent() + relative;
    return make_real(std::move(value), error);
  }
  const MaybeApproximate logarithm = log(a);
  if (!logarithm) return std::nullopt;
  return exp(*logarithm * exponent);
}

MaybeApproximate integer_power(const Approximate& a, long n) {
  if (n < 0) {
    const MaybeApproximate inverse = divide(approximate(1, a.precision()), a);
    if (!inverse) return std::nullopt;
    return integer_power(*inverse, -n);
  }
  Approximate result = approximate(1, a.precision());
  Approximate square = a;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result * square;
    if (n > 1) square = square * square;
    if (!square.finite()) return std::nullopt;
  }
  return result;
}

MaybeApproximate log_factorial(const Approximate& a) {
  if (!a.is_real() || a.exponent() > kMaxArgumentExponent || a.error > 0) return std::nullopt;
  const Real next = a.re + Real(1, a.precision());
  if (next.negative() || next.zero()) return std::nullopt;
  // The slope is the digamma function, below log(1 + a) + 1.
  return make_real(Real::unary(mpfr_lngamma, next), a.error + 7);
}

Approximate magnitude(const Approximate& argument) {
  const Approximate a = snapped(argument);
  if (a.is_real()) return {Real::unary(mpfr_abs, a.re), Real(a.precision()), a.error};
  return make_real(Real::binary(mpfr_hypot, a.re, a.im), a.error);
}

}  // namespace fbt::scorers::math
