#include "harness/decode/kernels/kernels.h"

#ifdef FBT_KERNELS_X86
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

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
namespace amx {
void attention(const AttentionArgs<Bf16>& args);
}
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

#ifdef FBT_KERNELS_X86
// Whether this process may use AMX: the CPU has it, with bfloat16, beside the
// AVX-512 instructions that go with it, and the kernel grants its registers.
bool has_amx() {
  constexpr unsigned kAmxBf16 = 1U << 22;
  constexpr unsigned kAmxTile = 1U << 24;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  if ((edx & kAmxBf16) == 0 || (edx & kAmxTile) == 0) return false;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bf16")) return false;
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
#endif

}  // namespace

TileAttention tile_attention() {
#ifdef FBT_KERNELS_X86
  static const bool usable = has_amx();
  return usable ? amx::attention : nullptr;
#else
  return nullptr;
#endif
}

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
