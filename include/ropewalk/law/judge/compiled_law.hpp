#pragma once
// A law's measure is instantiated for every format, which is a large part of the compile time of the laws. A
// file compiled with ROPEWALK_LAWS_LIBRARY only declares the instantiations, and links a library whose files
// define ROPEWALK_COMPILES_LAWS_LIBRARY and include every law. Without either macro the headers suffice.

#include "ropewalk/numeric/format.hpp"

#if defined(ROPEWALK_COMPILES_LAWS_LIBRARY)
#define ROPEWALK_COMPILED_LAW_PREFIX template
#elif defined(ROPEWALK_LAWS_LIBRARY)
#define ROPEWALK_COMPILED_LAW_PREFIX extern template
#endif

// ROPEWALK_COMPILED_LAW(measure, parameter types) follows the definition. A format that this list lacks is
// instantiated where it is used.
#if defined(ROPEWALK_COMPILED_LAW_PREFIX)
#define ROPEWALK_COMPILED_LAW(measure, ...)                                \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<double>(__VA_ARGS__);   \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<float>(__VA_ARGS__);    \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<binary16>(__VA_ARGS__); \
  ROPEWALK_COMPILED_LAW_PREFIX measurement measure<bfloat16>(__VA_ARGS__)
#else
#define ROPEWALK_COMPILED_LAW(measure, ...) static_assert(true)
#endif
