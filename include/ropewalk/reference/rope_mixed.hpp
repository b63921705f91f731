#pragma once
// Mixed rotary position embedding in Boost.Multiprecision numbers of any precision: the second, independent
// definition. The angle is a rational number, and so exact.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/rope_mixed.hpp"
#include "ropewalk/reference/rational.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

namespace detail {

/// Bits of the integer part of |x|; 0 below 1.
inline int whole_bits(const rational& x) {
  const whole_number whole = boost::multiprecision::numerator(x) / boost::multiprecision::denominator(x);
  return whole == 0 ? 0 : static_cast<int>(msb(whole_number(abs(whole)))) + 1;
}

template <real_number Number>
Number number_of(const rational& x) {
  const Number above(boost::multiprecision::numerator(x)), below(boost::multiprecision::denominator(x));
  return above / below;
}

}  // namespace detail

/// Angle of one pair of one head.
///
/// units   radians
/// domain  finite coordinates, one for each axis; 0 <= head < heads, 0 <= pair < pairs
/// error   exact
/// throws  std::invalid_argument naming the field and its value
inline rational rope_mixed_angle(const std::vector<double>& coordinates, int head, int pair,
                                 const rope_mixed& config) {
  validate(config);
  require(head >= 0 && head < config.heads, "head", head, "a number from 0 to heads - 1");
  require(pair >= 0 && pair < config.pairs, "pair", pair, "a number from 0 to pairs - 1");
  require(static_cast<int>(coordinates.size()) == config.axes, "the number of coordinates",
          static_cast<double>(coordinates.size()), "one for each axis");
  const std::size_t row = static_cast<std::size_t>(config.heads) * static_cast<std::size_t>(config.pairs);
  std::size_t place = static_cast<std::size_t>(head) * static_cast<std::size_t>(config.pairs) +
                      static_cast<std::size_t>(pair);
  rational angle = 0;
  for (const double at : coordinates) {
    require(at >= -largest_number && at <= largest_number, "coordinate", at, "a finite number");
    angle += detail::rational_of(at) * detail::rational_of(config.frequency[place]);
    place += row;
  }
  return angle;
}

/// Cosine and sine of the angle of one pair of one head.
///
/// shape   scalars
/// domain, throws   as rope_mixed_angle
/// error   below 2^-digits of Number; of the sine of an angle below 1, relative to the angle
template <real_number Number>
cos_sin<Number> rope_mixed_cos_sin(const std::vector<double>& coordinates, int head, int pair,
                                   const rope_mixed& config) {
  constexpr int bits_to_spare = 64;
  const rational angle = rope_mixed_angle(coordinates, head, pair, config);
  const auto part_of = [&](auto part) {
    return detail::with_guard_bits<Number>(detail::whole_bits(angle) + bits_to_spare, [&]<class Wide>() {
      const Wide radians = detail::number_of<Wide>(angle), turn = 2 * detail::pi<Wide>();
      const Wide whole = floor(Wide(radians / turn + Wide(0.5)));
      return Wide(part(Wide(radians - whole * turn)));
    });
  };
  return {part_of([](const auto& x) { return cos(x); }), part_of([](const auto& x) { return sin(x); })};
}

}  // namespace ropewalk::reference
