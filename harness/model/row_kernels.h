#pragma once

// Loops over rows of floats that the compiler makes into vector instructions,
// for AVX-512, AVX2 and the baseline, chosen when the program starts.

#include <cstdint>

namespace fbt {

// Sum of a[i] b[i].
float sum_of_products(const float* a, const float* b, std::int64_t size);
// out[i] = a[i] b[i] scale.
void scaled_product(const float* a, const float* b, float scale, float* out, std::int64_t size);
// out[i] = a[i] a_scale - b[i] b_scale.
void scaled_difference(const float* a, float a_scale, const float* b, float b_scale, float* out,
                       std::int64_t size);
// out[i] += a[i] b[i] scale.
void add_scaled_product(const float* a, const float* b, float scale, float* out, std::int64_t size);

// The largest of a[i]; size at least 1.
float largest(const float* a, std::int64_t size);
// out[i] = exp(a[i] - shift), to 1e-6 of its size; gives their sum.
float exponentials(const float* a, float shift, float* out, std::int64_t size);
// out[i] = a[i] (b[i] - shift).
void product_of_shifted(const float* a, const float* b, float shift, float* out, std::int64_t size);
// out[i] = silu(gate[i]) up[i], and its slopes times slope[i].
void swiglu_row(const float* gate, const float* up, float* out, std::int64_t size);
void swiglu_slopes(const float* gate, const float* up, const float* slope, float* gate_out,
                   float* up_out, std::int64_t size);
// The pairs (x[i], x[i + half]) turned by the angles with these cosines and sines.
void rotate_row(const float* x, const float* cosine, const float* sine, float* out,
                std::int64_t half);

// bfloat16 bits to float32, and back rounded to nearest even (NaN stays NaN).
void widen(const std::uint16_t* bits, float* out, std::int64_t size);
void round_to_bfloat16(const float* values, std::uint16_t* bits, std::int64_t size);

}  // namespace fbt
