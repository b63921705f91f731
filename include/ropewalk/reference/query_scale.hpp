#pragma once
// The scale of queries in Boost.Multiprecision numbers of any precision: the second, independent definition,
// which the tables are tested against.

#include <cstdint>

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/reference/number.hpp"

namespace ropewalk::reference {

namespace detail {

// Enough for every binary64 strength, its product with a logarithm below 22, and the sum with 1.
inline constexpr int query_scale_guard_bits = 64;

}  // namespace detail

/// Factor by which a model multiplies the query at a position.
///
/// domain  0 <= position <= 2147483647
/// error   below one ulp of Number
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
Number query_scale_value(std::int64_t position, const query_scale& config) {
  using boost::multiprecision::cpp_int;
  validate_position(position, config);
  const cpp_int moved = cpp_int(position) + config.shift;
  const cpp_int whole = (moved - moved % config.length) / config.length;
  return detail::with_guard_bits<Number>(detail::query_scale_guard_bits, [&]<class Wide>() {
    const Wide steps = Wide(whole + 1);
    return Wide(1 + Wide(config.strength) * log(steps));
  });
}

}  // namespace ropewalk::reference
