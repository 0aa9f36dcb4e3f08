#pragma once

// Scalars and vectors of the loops behind kernels.h; see kernels_impl.h, whose
// rules hold here too.

#include <math.h>
#include <string.h>

#include "base/exponential.h"
#include "harness/decode/kernels/kernels.h"

namespace fbt::kernels::FBT_KERNELS_NAMESPACE {
namespace {

inline float load(Bf16 x) {
  const std::uint32_t bits = static_cast<std::uint32_t>(x.bits) << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
inline float load(float x) {
  return x;
}
inline double load(double x) {
  return x;
}

inline void store(Bf16& out, float value) {
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits += 0x7fffU + ((bits >> 16) & 1U);
  out.bits = static_cast<std::uint16_t>(bits >> 16);
}
inline void store(float& out, float value) {
  out = value;
}
inline void store(double& out, double value) {
  out = value;
}

template <typename W>
inline W sigmoid(W x) {
  return W(1) / (W(1) + exponential(-x));
}

// Lanes that sums are kept in: a fixed order whatever the instruction set.
constexpr Index kLanes = 16;

template <typename W>
inline W add_lanes(const W* lanes) {
  W sums[kLanes];
  for (Index i = 0; i < kLanes; ++i) sums[i] = lanes[i];
  for (Index half = kLanes / 2; half > 0; half /= 2) {
    for (Index i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

// The largest of `count` values, at least one.
template <typename W>
inline W largest(const W* values, Index count) {
  constexpr Index kChains = 4 * kLanes;  // so that one comparison need not wait for the last
  W maxima[kChains];
  for (Index j = 0; j < kChains; ++j) maxima[j] = values[0];
  Index i = 0;
  for (; i + kChains <= count; i += kChains) {
    for (Index j = 0; j < kChains; ++j) {
      maxima[j] = values[i + j] > maxima[j] ? values[i + j] : maxima[j];
    }
  }
  for (Index j = 0; i < count; ++i, ++j) {
    maxima[j] = values[i] > maxima[j] ? values[i] : maxima[j];
  }
  W maximum = maxima[0];
  for (Index j = 1; j < kChains; ++j) maximum = maxima[j] > maximum ? maxima[j] : maximum;
  return maximum;
}

// As many scalars as the widest register holds. Sums over several of these stay
// in registers, which compilers do not manage for arrays of scalars.
#if defined(__AVX512F__)
constexpr Index kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr Index kVectorBytes = 32;
#else
constexpr Index kVectorBytes = 16;
#endif

template <typename W>
struct VectorOf;
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(kVectorBytes)));
};
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(kVectorBytes)));
};
template <typename W>
using Vector = typename VectorOf<W>::type;

template <typename W>
constexpr Index kWidth = kVectorBytes / static_cast<Index>(sizeof(W));

// Reads kWidth entries of a row of the cache: one scalar each or, for bfloat16,
// a pair (see kPair), the first ones in out[0].
inline void load_entries(const Bf16* from, Vector<float>* out) {
  typedef std::uint32_t Bits __attribute__((vector_size(kVectorBytes)));
  Bits pairs;
  memcpy(&pairs, from, sizeof pairs);
  const Bits first = pairs << 16;
  const Bits second = pairs & 0xffff0000U;
  memcpy(&out[0], &first, sizeof first);
  memcpy(&out[1], &second, sizeof second);
}
template <typename W>
inline void load_entries(const W* from, Vector<W>* out) {
  memcpy(out, from, sizeof(Vector<W>));
}

}  // namespace
}  // namespace fbt::kernels::FBT_KERNELS_NAMESPACE
