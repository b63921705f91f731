#pragma once
// Decimal digits need Boost.Multiprecision and MPFR, which take seconds to compile: a file that is compiled with
// ROPEWALK_DIGITS_LIBRARY has the declarations alone, and links a library of one file that includes all definitions with
// ROPEWALK_COMPILES_DIGITS_LIBRARY. Without either, the headers are all there is.

#if defined(ROPEWALK_COMPILES_DIGITS_LIBRARY)
#define ROPEWALK_DIGITS
#define ROPEWALK_DEFINES_DIGITS
#elif defined(ROPEWALK_DIGITS_LIBRARY)
#define ROPEWALK_DIGITS
#else
#define ROPEWALK_DIGITS inline
#define ROPEWALK_DEFINES_DIGITS
#endif
