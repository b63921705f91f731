#pragma once
// Decimal digits need Boost.Multiprecision and MPFR, which take seconds to compile. A file compiled with
// ROPEWALK_DIGITS_LIBRARY gets the declarations only, and links a library whose one file defines
// ROPEWALK_COMPILES_DIGITS_LIBRARY and includes every definition. Without either macro the headers alone
// suffice.

#if defined(ROPEWALK_COMPILES_DIGITS_LIBRARY)
#define ROPEWALK_DIGITS
#define ROPEWALK_DEFINES_DIGITS
#elif defined(ROPEWALK_DIGITS_LIBRARY)
#define ROPEWALK_DIGITS
#else
#define ROPEWALK_DIGITS inline
#define ROPEWALK_DEFINES_DIGITS
#endif
