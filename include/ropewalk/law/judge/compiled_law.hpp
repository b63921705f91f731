#pragma once
// A law's measure takes every format and is a large part of what compiling against the laws costs: a file that is compiled
// with ROPEWALK_LAWS_LIBRARY has the declarations alone, and links a library of one file that includes all laws with
// ROPEWALK_COMPILES_LAWS_LIBRARY. Without either, the headers are all there is.

#include "ropewalk/numeric/format.hpp"

#if defined(ROPEWALK_COMPILES_LAWS_LIBRARY)
#define ROPEWALK_COMPILED_LAW_PREFIX template
#elif defined(ROPEWALK_LAWS_LIBRARY)
#define ROPEWALK_COMPILED_LAW_PREFIX extern template
#endif

// ROPEWALK_COMPILED_LAW(measure, types of its parameters) behind the definition. A format that is missing here is
// compiled where it is used.
#if defined(ROPEWALK_COMPILED_LAW_PREFIX)
#define ROPEWALK_COMPILED_LAW(measure, ...)                                \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<double>(__VA_ARGS__);   \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<float>(__VA_ARGS__);    \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<binary16>(__VA_ARGS__); \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<bfloat16>(__VA_ARGS__)
#else
#define ROPEWALK_COMPILED_LAW(measure, ...) static_assert(true)
#endif
