#pragma once
// Index codes in Boost.Multiprecision numbers: the second, independent definition, which the tables are
// tested against.

#include <cmath>
#include <cstdint>

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/index_code.hpp"
#include "ropewalk/reference/number.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

/// One number of an integer, normalised or binary code, by integer division.
///
/// domain  positions that have a code, 0 <= column < width; any kind except sine_only
/// error   none
/// throws  std::invalid_argument naming the field and its value
inline boost::multiprecision::cpp_rational index_code_value(std::int64_t position, int column,
                                                            const index_code& config) {
  using boost::multiprecision::cpp_int;
  using boost::multiprecision::cpp_rational;
  validate_position(position, config);
  require(column >= 0 && column < config.width, "column", column, "a number from 0 to width - 1");
  require(is_rational(config.kind), "kind", static_cast<double>(config.kind),
          "integer, normalised or binary: a sine is not rational");
  if (config.kind == index_code_kind::integer) return cpp_rational(position);
  if (config.kind == index_code_kind::normalised)
    return config.length == 1 ? cpp_rational(0) : cpp_rational(position, config.length - 1);
  cpp_int rest = position;
  const int place = config.order == bit_order::lsb ? column : config.width - 1 - column;
  for (int halved = 0; halved < place; ++halved) rest /= 2;
  return cpp_rational(cpp_int(rest % 2));
}

/// One number of the sine-only code.
///
/// domain  any finite position, 0 <= column < width
/// error   below 2^-digits of Number, at every position
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
Number sine_only_value(double position, int column, const index_code& config) {
  validate(config);
  require(column >= 0 && column < config.width, "column", column, "a number from 0 to width - 1");
  require(std::abs(position) <= largest_number, "position", position, "a finite number");
  const int position_bits = std::abs(position) < 1 ? 0 : std::ilogb(position) + 2;
  return detail::with_guard_bits<Number>(detail::rule_guard_bits + position_bits, [&]<class Wide>() {
    const Wide exponent = -log(Wide(config.base)) * column / config.width;
    const Wide turns = exp(exponent) / (2 * detail::pi<Wide>());
    return detail::rotation<Wide>(Wide(position), turns, Wide(1)).sin;
  });
}

}  // namespace ropewalk::reference
