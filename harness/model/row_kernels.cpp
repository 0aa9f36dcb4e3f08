// Compiled with -fopenmp-simd, whose pragmas allow sums in vector lanes, and with what
// base/exponential.h asks for.

#include "harness/model/row_kernels.h"

#include <bit>
#include <cmath>

#include "base/exponential.h"
#include "base/vector_clones.h"

namespace fbt {
namespace {

[[gnu::always_inline]] inline float sigmoid(float x) {
  return 1.0F / (1.0F + exponential(-x));
}

// An element as float32, and back: float32 itself or bfloat16 bits.
[[gnu::always_inline]] inline float load(float value) {
  return value;
}
[[gnu::always_inline]] inline float load(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
[[gnu::always_inline]] inline void store(float value, float& out) {
  out = value;
}
[[gnu::always_inline]] inline void store(float value, std::uint16_t& out) {
  const auto word = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (word + 0x7fffU + ((word >> 16) & 1U)) >> 16;
  const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
  out = static_cast<std::uint16_t>(is_nan ? 0x7fc0U : rounded);
}
[[gnu::always_inline]] inline float rounded_to_bfloat16(float value) {
  std::uint16_t bits = 0;
  store(value, bits);
  return load(bits);
}

template <typename Element>
[[gnu::always_inline]] inline void swiglu_elements(const Element* gate, const Element* up,
                                                   Element* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) {
    const float x = load(gate[i]);
    store(x * sigmoid(x) * load(up[i]), out[i]);
  }
}

template <typename Element>
[[gnu::always_inline]] inline void swiglu_slopes_elements(const Element* gate, const Element* up,
                                                          const Element* slope, Element* gate_out,
                                                          Element* up_out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) {
    const float x = load(gate[i]), dy = load(slope[i]);
    const float open = sigmoid(x);
    store(dy * load(up[i]) * open * (1.0F + x * (1.0F - open)), gate_out[i]);
    store(dy * x * open, up_out[i]);
  }
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
void product(const float* a, const float* b, float* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = a[i] * b[i];
}

FBT_VECTOR_CLONES
void scaled(const float* a, float scale, float* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = a[i] * scale;
}

FBT_VECTOR_CLONES
void sum_with_scaled(const float* a, const float* b, float scale, float* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = a[i] + b[i] * scale;
}

FBT_VECTOR_CLONES
float rms_norm_row(const float* x, const float* gain, float epsilon, float* out,
                   std::int64_t size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < size; ++i) sum += x[i] * x[i];
  const float r = 1.0F / std::sqrt(sum / static_cast<float>(size) + epsilon);
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) out[i] = x[i] * gain[i] * r;
  return r;
}

FBT_VECTOR_CLONES
void rms_norm_slopes(const float* x, const float* gain, float r, const float* slope, float* out,
                     float* gain_out, std::int64_t size) {
  float inner = 0;
#pragma omp simd reduction(+ : inner)
  for (std::int64_t i = 0; i < size; ++i) inner += slope[i] * gain[i] * x[i];
  const float share = r * r * r * inner / static_cast<float>(size);
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) {
    out[i] = slope[i] * gain[i] * r - x[i] * share;
    gain_out[i] += slope[i] * x[i] * r;
  }
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
void swiglu(const float* gate, const float* up, float* out, std::int64_t size) {
  swiglu_elements(gate, up, out, size);
}
FBT_VECTOR_CLONES
void swiglu(const std::uint16_t* gate, const std::uint16_t* up, std::uint16_t* out,
            std::int64_t size) {
  swiglu_elements(gate, up, out, size);
}

FBT_VECTOR_CLONES
void swiglu_slopes(const float* gate, const float* up, const float* slope, float* gate_out,
                   float* up_out, std::int64_t size) {
  swiglu_slopes_elements(gate, up, slope, gate_out, up_out, size);
}
FBT_VECTOR_CLONES
void swiglu_slopes(const std::uint16_t* gate, const std::uint16_t* up, const std::uint16_t* slope,
                   std::uint16_t* gate_out, std::uint16_t* up_out, std::int64_t size) {
  swiglu_slopes_elements(gate, up, slope, gate_out, up_out, size);
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
  for (std::int64_t i = 0; i < size; ++i) out[i] = load(bits[i]);
}

FBT_VECTOR_CLONES
void round_to_bfloat16(const float* values, std::uint16_t* bits, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) store(values[i], bits[i]);
}

FBT_VECTOR_CLONES
void round_as_bfloat16(float* values, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) values[i] = rounded_to_bfloat16(values[i]);
}

FBT_VECTOR_CLONES
void scaled_sum(const std::uint16_t* a, float a_scale, const std::uint16_t* b, float b_scale,
                std::uint16_t* out, std::int64_t size) {
#pragma omp simd
  for (std::int64_t i = 0; i < size; ++i) {
    const float first = rounded_to_bfloat16(load(a[i]) * a_scale);
    store(first + rounded_to_bfloat16(load(b[i]) * b_scale), out[i]);
  }
}

}  // namespace fbt
