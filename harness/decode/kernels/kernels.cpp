#include "harness/decode/kernels/kernels.h"

namespace fbt::kernels {

#define FBT_DECLARE_TABLES(instructions)   \
  namespace instructions {                 \
  extern const Table<Bf16> bf16_table;     \
  extern const Table<float> float_table;   \
  extern const Table<double> double_table; \
  }

FBT_DECLARE_TABLES(generic)
#ifdef FBT_KERNELS_X86
FBT_DECLARE_TABLES(avx2)
FBT_DECLARE_TABLES(avx512)
#endif
#undef FBT_DECLARE_TABLES

namespace {

struct Choice {
  const char* name;
  const Table<Bf16>& bf16;
  const Table<float>& single;
  const Table<double>& twice;
};

const Choice& choice() {
  static const Choice chosen = [] {
#ifdef FBT_KERNELS_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
      return Choice{"avx512", avx512::bf16_table, avx512::float_table, avx512::double_table};
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      return Choice{"avx2", avx2::bf16_table, avx2::float_table, avx2::double_table};
    }
#endif
    return Choice{"generic", generic::bf16_table, generic::float_table, generic::double_table};
  }();
  return chosen;
}

}  // namespace

template <>
const Table<Bf16>& table<Bf16>() {
  return choice().bf16;
}

template <>
const Table<float>& table<float>() {
  return choice().single;
}

template <>
const Table<double>& table<double>() {
  return choice().twice;
}

const char* instruction_set() {
  return choice().name;
}

}  // namespace fbt::kernels
