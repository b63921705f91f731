#pragma once
// Targets that nothing here is compiled for.

// SVE vectors have no compile-time size and cannot be struct members; processors with SVE also have NEON.
// Processors with SSSE3 and without SSE4.1 are those of 2006 and 2007: they run what every x86-64 one runs.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_SSSE3)
