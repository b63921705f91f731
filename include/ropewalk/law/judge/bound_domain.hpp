#pragma once
// Whether a promise has a bound at all: it has none if its table's format cannot represent the attention
// factor.

#include <stdexcept>

#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk {

/// Whether a promise has a bound for an attention factor.
inline bool has_bound(promise promised, ropewalk_dtype dtype, double attention_factor) try {
  with_format(dtype,
              [&]<class Float>() { return accuracy_bound<Float>(promised, attention_factor, 0).relative; });
  return true;
} catch (const std::invalid_argument&) {
  return false;
}

}  // namespace ropewalk
