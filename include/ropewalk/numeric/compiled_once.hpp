#pragma once
// Compiles the exact layer's run-time code once, into the library ropewalk::exact, instead of in every file
// that calls it. ROPEWALK_COMPILED_ONCE(name) instantiates the struct template `name` for each limb count
// that tables and Ziv's loop use. A file compiled with ROPEWALK_EXACT_LIBRARY, which linking the library
// defines, only declares the instantiations; the library's own file defines them; any other file
// instantiates what it uses, so that the headers alone suffice. Constant evaluation never uses the library.
//
// An inline function that is not a template compiles everything it calls, in every file that includes it.
// Functions that run the exact layer are therefore templates of their configuration,
// `template <std::same_as<rope> Config = rope>`; the default lets a caller pass a braced list.

#if defined(ROPEWALK_COMPILES_EXACT_LIBRARY)
#define ROPEWALK_COMPILED_ONCE_PREFIX template
#elif defined(ROPEWALK_EXACT_LIBRARY)
#define ROPEWALK_COMPILED_ONCE_PREFIX extern template
#endif

// Further arguments are template arguments after the limb count.
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

// For a function template: takes the declaration of one explicit instantiation.
#if defined(ROPEWALK_COMPILED_ONCE_PREFIX)
#define ROPEWALK_COMPILED_FUNCTION(...) ROPEWALK_COMPILED_ONCE_PREFIX __VA_ARGS__
#else
#define ROPEWALK_COMPILED_FUNCTION(...) static_assert(true)
#endif
