// Compiled with -fopenmp-simd, whose pragmas allow sums in vector lanes, and
// -fno-trapping-math, without which a loop with a choice in it stays scalar. g++
// also gets -fno-thread-jumps: it would compute the ends of sigmoid()'s range for
// every element, and products with those tiny numbers take ten times as long.

#include "harness/model/row_kernels.h"

#include <bit>

#include "base/vector_clones.h"

namespace fbt {
namespace {

// exp(x) as 2^n exp(r), |r| <= log(2)/2, with exp(r)'s series to r^7: plain
// arithmetic, so that loops over it become vector instructions.
[[gnu::always_inline]] inline float exponential(float x) {
  constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  x = x < -87.0F ? -87.0F : x;
  x = x > 88.0F ? 88.0F : x;
  const float n = (x * 1.44269504F + kRounder) - kRounder;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.0F / 5040;
  p = p * r + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  return p * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

[[gnu::always_inline]] inline float sigmoid(float x) {
  return 1.0F / (1.0F + exponential(-x));
}

}  // namespace

FBT_VECTOR_CLONES
float sum_of_products(const float* a, const float* b, std::int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

FBT_VECTOR_CLONES
void scaled_product(const float* a, const float* b, float scale, float* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = a[i] * b[i] * scale;
}

FBT_VECTOR_CLONES
void scaled_difference(const float* a, float a_scale, const float* b, float b_scale, float* out,
                       std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = a[i] * a_scale - b[i] * b_scale;
}

FBT_VECTOR_CLONES
void add_scaled_product(const float* a, const float* b, float scale, float* out,
                        std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] += a[i] * b[i] * scale;
}

FBT_VECTOR_CLONES
float largest(const float* a, std::int64_t size) {
  float most = a[0];
#pragma omp simd reduction(max : most)
  for (std::int64_t i = 0; i < size; ++i) most = a[i] > most ? a[i] : most;
  return most;
}

FBT_VECTOR_CLONES
float exponentials(const float* a, float shift, float* out, std::int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < size; ++i) {
    out[i] = exponential(a[i] - shift);
    sum += out[i];
  }
  return sum;
}

FBT_VECTOR_CLONES
void product_of_shifted(const float* a, const float* b, float shift, float* out,
                        std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = a[i] * (b[i] - shift);
}

FBT_VECTOR_CLONES
void swiglu_row(const float* gate, const float* up, float* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = gate[i] * sigmoid(gate[i]) * up[i];
}

FBT_VECTOR_CLONES
void swiglu_slopes(const float* gate, const float* up, const float* slope, float* gate_out,
                   float* up_out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) {
    const float open = sigmoid(gate[i]);
    gate_out[i] = slope[i] * up[i] * open * (1.0F + gate[i] * (1.0F - open));
    up_out[i] = slope[i] * gate[i] * open;
  }
}

FBT_VECTOR_CLONES
void rotate_row(const float* x, const float* cosine, const float* sine, float* out,
                std::int64_t half) {
#pragma omp simd
  for (std::int64_t i = 0; i < half; ++i) {
    const float first = x[i], second = x[i + half];
    out[i] = first * cosine[i] - second * sine[i];
    out[i + half] = second * cosine[i] + first * sine[i];
  }
}

FBT_VECTOR_CLONES
void widen(const std::uint16_t* bits, float* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) {
    out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]) << 16);
  }
}

FBT_VECTOR_CLONES
void round_to_bfloat16(const float* values, std::uint16_t* bits, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) {
    const auto word = std::bit_cast<std::uint32_t>(values[i]);
    const std::uint32_t rounded = (word + 0x7fffU + ((word >> 16) & 1U)) >> 16;
    const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
    bits[i] = static_cast<std::uint16_t>(is_nan ? 0x7fc0U : rounded);
  }
}

}  // namespace fbt
