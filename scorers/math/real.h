#pragma once

// A real number of fixed binary precision: MPFR's mpfr_t with value semantics.

#include <utility>

#include <gmpxx.h>
#include <mpfr.h>

namespace fbt::scorers::math {

class Real {
 public:
  explicit Real(long precision) { mpfr_init2(value_, precision), mpfr_set_zero(value_, 1); }
  Real(const mpq_class& value, long precision) {
    mpfr_init2(value_, precision);
    mpfr_set_q(value_, value.get_mpq_t(), MPFR_RNDN);
  }
  Real(long value, long precision) {
    mpfr_init2(value_, precision);
    mpfr_set_si(value_, value, MPFR_RNDN);
  }
  ~Real() {
    if (owns()) mpfr_clear(value_);
  }
  Real(const Real& other) {
    mpfr_init2(value_, other.precision());
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real(Real&& other) noexcept {
    value_[0] = other.value_[0];
    other.value_[0]._mpfr_d = nullptr;
  }
  Real& operator=(Real other) noexcept {
    std::swap(value_[0], other.value_[0]);
    return *this;
  }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  long precision() const { return mpfr_get_prec(value_); }

  bool zero() const { return mpfr_zero_p(value_) != 0; }
  bool negative() const { return mpfr_sgn(value_) < 0; }
  bool finite() const { return mpfr_number_p(value_) != 0; }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

  // e with 2^(e-1) <= |x| < 2^e; far below every other number's for zero, far above
  // where it is no finite number (MPFR gives no exponent then).
  long exponent() const {
    if (zero()) return -kExtremeExponent;
    return finite() ? mpfr_get_exp(value_) : kExtremeExponent;
  }
  static constexpr long kExtremeExponent = 1L << 58;

  friend Real operator+(const Real& a, const Real& b) { return binary(mpfr_add, a, b); }
  friend Real operator-(const Real& a, const Real& b) { return binary(mpfr_sub, a, b); }
  friend Real operator*(const Real& a, const Real& b) { return binary(mpfr_mul, a, b); }
  friend Real operator/(const Real& a, const Real& b) { return binary(mpfr_div, a, b); }
  Real operator-() const { return unary(mpfr_neg, *this); }
  friend bool operator<(const Real& a, const Real& b) {
    return mpfr_less_p(a.value_, b.value_) != 0;
  }

  // f(a) and f(a, b) for MPFR's functions.
  template <typename Function>
  static Real unary(Function function, const Real& a) {
    Real result(a.precision());
    function(result.value_, a.value_, MPFR_RNDN);
    return result;
  }
  template <typename Function>
  static Real binary(Function function, const Real& a, const Real& b) {
    Real result(a.precision());
    function(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }

 private:
  bool owns() const { return value_[0]._mpfr_d != nullptr; }
  mpfr_t value_;
};

}  // namespace fbt::scorers::math
