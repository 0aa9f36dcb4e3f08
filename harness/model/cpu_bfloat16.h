#pragma once

namespace fbt {

// Whether this CPU has the instructions that LibTorch's products in bfloat16 ask
// for: AVX-512 F, BW, VL and DQ, LibTorch 1.13's own condition for leaving them to
// oneDNN. Elsewhere LibTorch multiplies bfloat16 one number at a time, many times
// slower than float32. Any thread.
bool cpu_multiplies_bfloat16();

}  // namespace fbt
