// Decimal digits (reference/digits_library.hpp).
#define ROPEWALK_COMPILES_DIGITS_LIBRARY

#include "ropewalk/reference/digits_definitions.hpp"
