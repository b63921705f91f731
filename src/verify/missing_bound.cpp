#include "verify/missing_bound.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ropewalk/law/judge/bound_domain.hpp"

namespace ropewalk::verify {
namespace {

/// The last power of two, counted from 1 in one direction, for which the promise has a bound.
double end_of_domain(promise promised, ropewalk_dtype dtype, int direction) {
  int exponent = 0;
  while (has_bound(promised, dtype, std::ldexp(1.0, exponent + direction))) exponent += direction;
  return std::ldexp(1.0, exponent);
}

}  // namespace

std::string missing_bound(promise promised, ropewalk_dtype dtype, double attention_factor) {
  if (has_bound(promised, dtype, attention_factor)) return {};
  return fmt::format("attention_factor is {}, outside {:.6g} .. {:.6g}", attention_factor,
                     end_of_domain(promised, dtype, -1), end_of_domain(promised, dtype, 1));
}

}  // namespace ropewalk::verify
