// Decimal digits of the reference encodings.
#include "ropewalk/reference/digits_definitions.hpp"
