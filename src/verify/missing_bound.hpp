#pragma once
// Explains why a promise has no bound.

#include <string>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::verify {

/// "attention_factor is 1e+300, outside FROM .. TO"; empty where there is a bound.
std::string missing_bound(promise promised, ropewalk_dtype dtype, double attention_factor);

}  // namespace ropewalk::verify
