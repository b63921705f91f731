#pragma once
// Where the bounds of a promise speak: an attention factor may lie outside what its tables can hold.

#include <string>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::command {

/// Why there is no bound: "attention_factor is 1e+300, outside FROM .. TO"; empty where there is one.
std::string missing_bound(ropewalk_promise promise, ropewalk_dtype dtype, double attention_factor);

}  // namespace ropewalk::command
