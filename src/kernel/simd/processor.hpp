#pragma once
// The Highway targets that this processor runs. Highway's own library detects them, too, but measures a clock
// for 4 ms in every process that loads it, and the kernels need nothing else from that library.

#include <hwy/detect_targets.h>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

#include <cstdint>

namespace ropewalk::simd {

#if HWY_ARCH_X86

/// Whether bits of ECX are set in a leaf of CPUID.
inline bool has_in_ecx(unsigned leaf, unsigned bits) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bits) == bits;
}

/// Whether the processor supports the code of a target. `__builtin_cpu_supports` also checks whether the
/// operating system saves the registers. Features that not every compiler knows by name are read from CPUID.
inline bool runs_sse4() {
  constexpr unsigned pclmul = 1u << 1, aes = 1u << 25;
  return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") && has_in_ecx(1, pclmul | aes);
}

inline bool runs_avx2() {
  constexpr unsigned f16c = 1u << 29, lzcnt = 1u << 5, extended = 0x80000001;
  return runs_sse4() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_in_ecx(1, f16c) &&
         has_in_ecx(extended, lzcnt);
}

inline bool runs_avx3() {
  return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

inline bool runs_avx3_dl() {
  constexpr unsigned vaes = 1u << 9, vpclmulqdq = 1u << 10, structured = 7;
  return runs_avx3() && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq") &&
         __builtin_cpu_supports("avx512bitalg") && has_in_ecx(structured, vaes | vpclmulqdq);
}

/// A set of Highway's targets as bits. The target that the whole program was compiled for is always included.
inline std::int64_t runnable_targets() {
  std::int64_t targets = HWY_STATIC_TARGET;
  if (runs_sse4()) targets |= HWY_SSE4;
  if (runs_avx2()) targets |= HWY_AVX2;
  if (runs_avx3()) targets |= HWY_AVX3;
  if (runs_avx3_dl()) targets |= HWY_AVX3_DL;
  return targets;
}

#else

inline std::int64_t runnable_targets() { return HWY_STATIC_TARGET; }

#endif

}  // namespace ropewalk::simd
