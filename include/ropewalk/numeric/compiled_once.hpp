#pragma once
// Code of the exact layer that runs can be compiled once, into the library ropewalk::exact, and not again by every file that
// calls it. A struct named by ROPEWALK_COMPILED_ONCE has its functions for each number of limbs that tables and Ziv's loop
// ask for: in that library, where a file is compiled with ROPEWALK_EXACT_LIBRARY (as linking the library does), and in
// place everywhere else. The compiler evaluates constants in place either way.
//
// A function that is no template compiles what it calls wherever it is included. One that runs the exact layer therefore
// takes its configuration as a template does, `template <std::same_as<rope> Config = rope>`, and costs nothing unused.

#if defined(ROPEWALK_COMPILES_EXACT_LIBRARY)
#define ROPEWALK_COMPILED_ONCE_PREFIX template
#elif defined(ROPEWALK_EXACT_LIBRARY)
#define ROPEWALK_COMPILED_ONCE_PREFIX extern template
#endif

// The arguments after the name follow the number of limbs.
#if defined(ROPEWALK_COMPILED_ONCE_PREFIX)
#define ROPEWALK_COMPILED_ONCE(name, ...)                                   \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<2 __VA_OPT__(, ) __VA_ARGS__>;  \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<3 __VA_OPT__(, ) __VA_ARGS__>;  \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<4 __VA_OPT__(, ) __VA_ARGS__>;  \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<6 __VA_OPT__(, ) __VA_ARGS__>;  \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<8 __VA_OPT__(, ) __VA_ARGS__>;  \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<12 __VA_OPT__(, ) __VA_ARGS__>; \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<16 __VA_OPT__(, ) __VA_ARGS__>; \
  ROPEWALK_COMPILED_ONCE_PREFIX struct name<24 __VA_OPT__(, ) __VA_ARGS__>
#else
#define ROPEWALK_COMPILED_ONCE(name, ...) static_assert(true)
#endif

// A function that is no member of such a struct: ROPEWALK_COMPILED_FUNCTION(its declaration, as one explicitly instantiates
// it).
#if defined(ROPEWALK_COMPILED_ONCE_PREFIX)
#define ROPEWALK_COMPILED_FUNCTION(...) ROPEWALK_COMPILED_ONCE_PREFIX __VA_ARGS__
#else
#define ROPEWALK_COMPILED_FUNCTION(...) static_assert(true)
#endif
