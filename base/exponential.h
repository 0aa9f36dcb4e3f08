#pragma once

// exp() as plain arithmetic, so that loops over it become vector instructions: 2^n exp(r)
// with |r| <= log(2)/2, where exp(r) is its Taylor series (Horner's rule). n is read from
// the lowest bits of a sum: not every instruction set turns vectors of float64 into
// integers, and NaN is none. Arguments out of range count as its end, so the result is
// finite and at least the type's smallest normal number; NaN stays NaN.
//
// g++ vectorises such loops only with -fno-trapping-math, and then also needs
// -fno-thread-jumps: it would compute the ends of the range for every element, and
// products with those tiny numbers take five to ten times as long.
//
// No library function, so that code compiled for several instruction sets may use it:
// the linker would keep one copy of a shared inline body, perhaps one that the running
// CPU cannot execute.

#include <cstdint>

namespace fbt {

// Series to r^7: relative error below 2e-7.
[[gnu::always_inline]] inline float exponential(float x) {
  constexpr float kRounder = 0x1.8p23F;  // adding it rounds to a whole number
  // log(2) in two parts, of which the first times n is exact.
  constexpr float kLn2High = 0.693359375F;
  constexpr float kLn2Low = -2.12194440e-4F;
  x = x < -87.0F ? -87.0F : x;
  x = x > 88.0F ? 88.0F : x;
  const float rounded = x * 1.44269504F + kRounder;
  const float n = rounded - kRounder;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float p = 1.0F / 5040;
  p = p * r + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  return p * __builtin_bit_cast(float, (__builtin_bit_cast(std::uint32_t, rounded) + 127) << 23);
}

// Series to r^13: relative error below 4e-16.
[[gnu::always_inline]] inline double exponential(double x) {
  constexpr double kRounder = 0x1.8p52;
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  x = x < -708.0 ? -708.0 : x;
  x = x > 709.0 ? 709.0 : x;
  const double rounded = x * 0x1.71547652b82fep+0 + kRounder;
  const double n = rounded - kRounder;
  const double r = (x - n * kLn2High) - n * kLn2Low;
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return p * __builtin_bit_cast(double, (__builtin_bit_cast(std::uint64_t, rounded) + 1023) << 52);
}

}  // namespace fbt
