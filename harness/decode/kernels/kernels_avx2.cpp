#define FBT_KERNELS_NAMESPACE avx2
#include "harness/decode/kernels/kernels_impl.h"
