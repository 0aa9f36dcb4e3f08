#pragma once

// Loops over rows of floats that the compiler makes into vector instructions,
// for AVX-512, AVX2 and the baseline, chosen when the program starts.

#include <cstdint>

namespace fbt {

// Sum of a[i] b[i].
float sum_of_products(const float* a, const float* b, std::int64_t size);
// out[i] = a[i] b[i].
void product(const float* a, const float* b, float* out, std::int64_t size);
// out[i] = a[i] scale.
void scaled(const float* a, float scale, float* out, std::int64_t size);
// out[i] = a[i] + b[i] scale.
void sum_with_scaled(const float* a, const float* b, float scale, float* out, std::int64_t size);

// out[i] = x[i] gain[i] r; gives r = 1 / sqrt(mean of x[i]^2 + epsilon).
float rms_norm_row(const float* x, const float* gain, float epsilon, float* out, std::int64_t size);
// With w[i] = slope[i] gain[i]: out[i] = r w[i] - x[i] r^3 (w . x) / size, and
// gain_out[i] += slope[i] x[i] r.
void rms_norm_slopes(const float* x, const float* gain, float r, const float* slope, float* out,
                     float* gain_out, std::int64_t size);

// The largest of a[i]; size at least 1.
float largest(const float* a, std::int64_t size);
// out[i] = exp(a[i] - shift), to 1e-6 of its size; gives their sum.
float exponentials(const float* a, float shift, float* out, std::int64_t size);
// out[i] = a[i] (b[i] - shift).
void product_of_shifted(const float* a, const float* b, float shift, float* out, std::int64_t size);
// out[i] = silu(gate[i]) up[i], and its slopes times slope[i]; float32 arithmetic
// on float32 or bfloat16 bits.
void swiglu(const float* gate, const float* up, float* out, std::int64_t size);
void swiglu(const std::uint16_t* gate, const std::uint16_t* up, std::uint16_t* out,
            std::int64_t size);
void swiglu_slopes(const float* gate, const float* up, const float* slope, float* gate_out,
                   float* up_out, std::int64_t size);
void swiglu_slopes(const std::uint16_t* gate, const std::uint16_t* up, const std::uint16_t* slope,
                   std::uint16_t* gate_out, std::uint16_t* up_out, std::int64_t size);
// The pairs (x[i], x[i + half]) turned by the angles with these cosines and sines.
void rotate_row(const float* x, const float* cosine, const float* sine, float* out,
                std::int64_t half);

// bfloat16 bits to float32, and back rounded to nearest even (NaN stays NaN).
void widen(const std::uint16_t* bits, float* out, std::int64_t size);
void round_to_bfloat16(const float* values, std::uint16_t* bits, std::int64_t size);
// values[i] rounded to what bfloat16 can hold.
void round_as_bfloat16(float* values, std::int64_t size);
// out[i] = a[i] a_scale + b[i] b_scale on bfloat16 bits, rounded after each of the
// three operations.
void scaled_sum(const std::uint16_t* a, float a_scale, const std::uint16_t* b, float b_scale,
                std::uint16_t* out, std::int64_t size);

}  // namespace fbt
