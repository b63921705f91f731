#include "command/bound_domain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/bound.hpp"

namespace ropewalk::command {
namespace {

bool has_bound(ropewalk_promise promise, ropewalk_dtype dtype, double attention_factor) try {
  with_format(dtype,
              [&]<class Float>() { return accuracy_bound<Float>(promise, attention_factor, 0).relative; });
  return true;
} catch (const std::invalid_argument&) {
  return false;
}

/// The last power of two, going from 1 in one direction, that the bound itself takes: its domain ends there.
double end_of_domain(ropewalk_promise promise, ropewalk_dtype dtype, int direction) {
  int exponent = 0;
  while (has_bound(promise, dtype, std::ldexp(1.0, exponent + direction))) exponent += direction;
  return std::ldexp(1.0, exponent);
}

}  // namespace

std::string missing_bound(ropewalk_promise promise, ropewalk_dtype dtype, double attention_factor) {
  if (has_bound(promise, dtype, attention_factor)) return {};
  return fmt::format("attention_factor is {}, outside {:.6g} .. {:.6g}", attention_factor,
                     end_of_domain(promise, dtype, -1), end_of_domain(promise, dtype, 1));
}

}  // namespace ropewalk::command
