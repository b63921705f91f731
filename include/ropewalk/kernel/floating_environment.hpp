#pragma once
// The floating-point environment of a kernel: round to nearest, subnormals kept, no traps. The caller's
// environment is restored afterwards, exception flags included. The registers are MXCSR on x86-64 (SSE), FPCR
// and FPSR on AArch64.

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#error "ropewalk's kernels support the floating-point environments of x86-64 and AArch64 only"
#endif

namespace ropewalk {

/// The registers that hold how floating-point arithmetic rounds, flushes and traps, and its exception flags.
struct floating_registers {
  std::uint64_t control = 0;  // MXCSR, flags included; FPCR
  std::uint64_t status = 0;   // FPSR; unused on x86-64
  friend bool operator==(const floating_registers&, const floating_registers&) = default;
};

// The empty asm statements keep the compiler from moving loads and stores across them, and so the arithmetic
// between those.

/// Registers of the calling thread, exception flags included.
inline floating_registers read_floating_registers() noexcept {
  asm volatile("" ::: "memory");
#if defined(__x86_64__)
  return {_mm_getcsr(), 0};
#else
  floating_registers registers;
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(registers.control), "=r"(registers.status)::"memory");
  return registers;
#endif
}

/// Sets the registers of the calling thread, flags included; `status` is ignored on x86-64.
inline void write_floating_registers(const floating_registers& registers) noexcept {
  asm volatile("" ::: "memory");
#if defined(__x86_64__)
  _mm_setcsr(static_cast<unsigned>(registers.control));
#else
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(registers.control), "r"(registers.status) : "memory");
#endif
  asm volatile("" ::: "memory");
}

/// The default environment, which is that of a new thread: rounding to nearest even, no flush-to-zero, no
/// denormals-are-zero, every exception masked.
constexpr floating_registers default_floating_registers() noexcept {
#if defined(__x86_64__)
  return {0x1f80, 0};  // the six exception masks of MXCSR, bits 7 to 12
#else
  return {0, 0};
#endif
}

/// The default environment, except that subnormals are read and written as zeros. -ffast-math sets this at
/// start-up.
constexpr floating_registers flushing_floating_registers() noexcept {
#if defined(__x86_64__)
  return {0x9fc0, 0};  // flush-to-zero, bit 15, and denormals-are-zero, bit 6
#else
  return {0x1000000, 0};  // FZ, bit 24; not every processor has FZ16
#endif
}

/// The default environment, except that rounding is toward plus infinity.
constexpr floating_registers upward_floating_registers() noexcept {
#if defined(__x86_64__)
  // rounding control, bits 13 and 14: 2
  return {0x5f80, 0};
#else
  // RMode, bits 22 and 23: 1
  return {0x400000, 0};
#endif
}

/// Whether two environments round, flush and trap alike; their exception flags may differ.
constexpr bool same_arithmetic(const floating_registers& a, const floating_registers& b) noexcept {
#if defined(__x86_64__)
  constexpr std::uint64_t raised = 0x3f;
#else
  constexpr std::uint64_t raised = 0;
#endif
  return (a.control & ~raised) == (b.control & ~raised);
}

/// Sets the current thread's default environment; the destructor restores the caller's.
class default_floating_environment {
 public:
  default_floating_environment() noexcept : saved_(read_floating_registers()) {
    write_floating_registers(default_floating_registers());
  }
  ~default_floating_environment() { write_floating_registers(saved_); }
  default_floating_environment(const default_floating_environment&) = delete;
  default_floating_environment& operator=(const default_floating_environment&) = delete;

 private:
  floating_registers saved_;
};

}  // namespace ropewalk
