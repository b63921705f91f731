// Run-time code of the exact layer (numeric/compiled_once.hpp).
#define ROPEWALK_COMPILES_EXACT_LIBRARY

#include "ropewalk/table/frequency_divisors.hpp"
#include "ropewalk/table/pooled_axes_rows.hpp"
#include "ropewalk/table/rope_mixed_rows.hpp"
#include "ropewalk/table/rope_rows.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
