#define FBT_KERNELS_NAMESPACE avx512
#include "harness/decode/kernels/kernels_impl.h"
