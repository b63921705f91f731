#pragma once
// Angles on several axes that are exact parts of a turn. Only at such angles is a cosine or a sine 0 or 1,
// which no number of guard digits decides.

#include <cstdint>
#include <numeric>
#include <optional>

#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/frequencies.hpp"
#include "ropewalk/reference/rational.hpp"
#include "ropewalk/reference/rope_axes.hpp"
#include "ropewalk/reference/rope_exact.hpp"

namespace ropewalk::reference {

namespace detail {

/// x^(numerator / denominator) of x > 0 in lowest terms, if it is rational.
inline std::optional<rational> exact_power(const rational& x, std::int64_t numerator,
                                           std::int64_t denominator) {
  const std::int64_t common = std::gcd(numerator, denominator);
  const auto degree = static_cast<int>(denominator / common);
  const auto power = static_cast<unsigned>(numerator / common);
  const auto root_of = [&](const whole_number& size) { return whole_root(size, degree); };
  const std::optional<whole_number> above = root_of(boost::multiprecision::numerator(x)),
                                    below = root_of(boost::multiprecision::denominator(x));
  if (!above || !below) return std::nullopt;
  return rational(pow(*above, power)) / rational(pow(*below, power));
}

/// The frequency of a pair in its own unit, if it is rational.
inline std::optional<rational> exact_frequency(int k, int pairs, const frequencies& f) {
  if (f.rule == spacing::listed) return rational_of(f.list[k]);
  const rational first = rational_of(f.first), last = rational_of(f.last);
  if (k == 0) return first;
  if (f.rule == spacing::linear) return first + (last - first) * k / (pairs - 1);
  const std::int64_t parts = frequency_shift_parts;
  const auto steps = pairs * parts - static_cast<std::int64_t>(f.shift * static_cast<double>(parts));
  const std::optional<rational> power = exact_power(last / first, k * parts, steps);
  if (!power) return std::nullopt;
  return first * *power;
}

/// Turns of a pair at its position, if they are known to be rational: its angle is counted in parts of a
/// turn, or is 0.
inline std::optional<rational> exact_phase(double position, const axis_column& column, const rope_axes& axes,
                                           const coordinate& coordinate) {
  const rational at =
      (rational_of(position) + rational(coordinate.offset.numerator, coordinate.offset.denominator)) *
      rational(coordinate.scale.numerator, coordinate.scale.denominator);
  if (at == 0 || column.frequency < 0) return rational(0);
  const frequencies& turn = axes.axis[static_cast<std::size_t>(column.axis)].turn;
  const bool is_listed_apart = axes.frequencies_of == axis_frequencies::own && turn.rule != spacing::of_base;
  if (!is_listed_apart)
    return stands_still(column.frequency, column.embedding) ? std::optional(rational(0)) : std::nullopt;
  const std::optional<rational> frequency = exact_frequency(column.frequency, column.pairs, turn);
  if (!frequency || *frequency == 0) return frequency;
  switch (turn.unit) {
    case angle_unit::quarter_turn: return at * *frequency / 4;
    case angle_unit::half_turn: return at * *frequency / 2;
    case angle_unit::turn: return at * *frequency;
    case angle_unit::radian: break;
  }
  return std::nullopt;
}

/// The number of quarter turns of a phase, 0 to 3, if it is a multiple of a quarter turn.
inline std::optional<int> quarter_of(const std::optional<rational>& phase) {
  if (!phase) return std::nullopt;
  const rational quarters = *phase * 4;
  if (boost::multiprecision::denominator(quarters) != 1) return std::nullopt;
  const whole_number whole = boost::multiprecision::numerator(quarters) % 4;
  return ((whole + 4) % 4).convert_to<int>();
}

}  // namespace detail

}  // namespace ropewalk::reference
