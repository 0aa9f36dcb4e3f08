// Compiled with -fopenmp-simd: the pragmas below allow sums in vector lanes.

#include "harness/model/row_kernels.h"

#include <bit>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FBT_VECTOR_CLONES __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define FBT_VECTOR_CLONES
#endif

namespace fbt {

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
