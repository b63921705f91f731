#pragma once
// Frequencies of the pairs that one coordinate rotates: an axis of an image or video, a time, or the position
// of a sinusoidal encoding.

#include <cstdint>

#include "ropewalk/config/longrope.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/scaling_lengths.hpp"

namespace ropewalk {

/// Spacing of the frequencies f_0, f_1, ... of n pairs.
///
/// of_base: base^(-k / n), with the embedding's base and scaling rule. listed: a list. geometric:
/// first (last / first)^(k / (n - shift)). linear: first + (last - first) k / (n - 1).
enum class spacing { of_base, geometric, linear, listed };

/// Unit of the angle in a frequency: radians, or parts of a turn, per unit of the coordinate. In parts of a
/// turn, the angles of a dyadic frequency are exact.
enum class angle_unit { radian, quarter_turn, half_turn, turn };

// Shifts are multiples of 2^-16 and pairs - shift < 2^16, so exponents are quotients of 32-bit numbers.
inline constexpr std::int64_t frequency_shift_parts = 65536;
inline constexpr double largest_frequency_shift = 32767;
inline constexpr int most_frequencies = 32768;

/// Frequencies of the pairs of one axis. Structural: part of a table's template argument.
struct frequencies {
  spacing rule = spacing::of_base;
  quotient first{};  // f_0
  quotient last{};   // f_(n - shift) if geometric, f_(n - 1) if linear
  double shift = 0;  // 0: RoPE; 1: the last pair has frequency `last`
  factor_list list{};
  angle_unit unit = angle_unit::radian;
};

/// base^(-k / (n - shift)): from 1 down to 1 / base.
constexpr frequencies falling_from_one(double base, double shift = 0, angle_unit unit = angle_unit::radian) {
  return {.rule = spacing::geometric, .first = {1, 1}, .last = {1, base}, .shift = shift, .unit = unit};
}

/// Geometric from `first` at pair 0 to `last` at pair n - 1.
constexpr frequencies geometric_between(quotient first, quotient last, angle_unit unit = angle_unit::radian) {
  return {.rule = spacing::geometric, .first = first, .last = last, .shift = 1, .unit = unit};
}
constexpr frequencies linear_between(quotient first, quotient last, angle_unit unit = angle_unit::radian) {
  return {.rule = spacing::linear, .first = first, .last = last, .unit = unit};
}

/// Frequencies from a list, one per pair.
constexpr frequencies listed_frequencies(const factor_list& list, angle_unit unit = angle_unit::radian) {
  return {.rule = spacing::listed, .list = list, .unit = unit};
}

/// "of-base", "geometric", "linear" or "listed": the name in JSON; empty outside the enumeration.
constexpr const char* name_of(spacing rule) {
  switch (rule) {
    case spacing::of_base: return "of-base";
    case spacing::geometric: return "geometric";
    case spacing::linear: return "linear";
    case spacing::listed: return "listed";
  }
  return "";
}

/// "radian", "quarter-turn", "half-turn" or "turn"; empty outside the enumeration.
constexpr const char* name_of(angle_unit unit) {
  switch (unit) {
    case angle_unit::radian: return "radian";
    case angle_unit::quarter_turn: return "quarter-turn";
    case angle_unit::half_turn: return "half-turn";
    case angle_unit::turn: return "turn";
  }
  return "";
}

/// Checks the frequencies of `pairs` pairs.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const frequencies& f, int pairs) {
  require(f.rule == spacing::of_base || f.rule == spacing::geometric || f.rule == spacing::linear ||
              f.rule == spacing::listed,
          "spacing", static_cast<double>(f.rule), "of_base, geometric, linear or listed");
  require(f.unit == angle_unit::radian || f.unit == angle_unit::quarter_turn ||
              f.unit == angle_unit::half_turn || f.unit == angle_unit::turn,
          "unit", static_cast<double>(f.unit), "radian, quarter_turn, half_turn or turn");
  if (f.rule == spacing::of_base) {
    require_word(f.unit == angle_unit::radian, "unit", name_of(f.unit), "radian where spacing is of_base");
    return;
  }
  if (f.rule == spacing::listed) {
    require(f.list.count == pairs, "frequencies' length", f.list.count, "one number for each pair");
    for (int pair = 0; pair < f.list.count; ++pair)
      require(f.list[pair] >= 0 && f.list[pair] <= largest_number, "frequency", f.list[pair],
              "a finite number, 0 or above");
    return;
  }
  for (const quotient& end : {f.first, f.last}) {
    require(end.numerator > 0 && end.numerator <= largest_number, "numerator of first or last", end.numerator,
            "a finite number above 0");
    require(end.denominator > 0 && end.denominator <= largest_number, "denominator of first or last",
            end.denominator, "a finite number above 0");
  }
  require(f.shift >= -largest_frequency_shift && f.shift <= largest_frequency_shift &&
              f.shift * frequency_shift_parts ==
                  static_cast<double>(static_cast<std::int64_t>(f.shift * frequency_shift_parts)),
          "shift", f.shift, "a multiple of 1/65536 from -32767 to 32767");
  require(pairs == 1 || pairs - f.shift >= 1, "shift", f.shift, "a number up to the number of pairs - 1");
}

}  // namespace ropewalk
