#pragma once
// Targets that are not compiled.

// SVE vectors have no compile-time size and cannot be struct members; processors with SVE also have NEON.
// Processors with SSSE3 but without SSE4.1 are from 2006 and 2007: they run the code for any x86-64
// processor.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_SSSE3)
