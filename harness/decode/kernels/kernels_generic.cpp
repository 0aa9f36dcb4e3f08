#define FBT_KERNELS_NAMESPACE generic
#include "harness/decode/kernels/kernels_impl.h"
