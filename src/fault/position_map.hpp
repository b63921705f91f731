#pragma once
// Maps from a position to the position that a faulty kernel uses instead.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::fault {

/// Sentence of the faults that negate the position or the sine; they differ only in the sign of a zero.
inline constexpr const char* the_other_way =
    "every pair is turned the other way: the position or the sine has the other sign";

/// How a position is changed; `number` is the parameter of the change.
enum class position_change {
  signed_bits,    // the lowest `number` bits, two's complement
  modulo,         // the remainder of a division by `number`, from 0 on
  clamped,        // to 0 .. number - 1
  clamped_above,  // to number - 1 and below
  saturated,      // to -number .. number - 1
  not_negative,   // to 0 and above
  in_binary32,    // rounded to nearest even
  in_binary16,    // the same; infinite from 65520 on
  in_bfloat16,
  negated,
  absolute,
  truncated,     // toward 0
  rounded_up,    // to the nearest whole number, halves up
  rounded_even,  // the same, halves to even
  half_after,    // position + 1/2
  added_to       // position + number
};

/// Whether a change applies to the number itself, which an index may only represent.
constexpr bool is_of_value(position_change change) {
  return change == position_change::in_binary32 || change == position_change::in_binary16 ||
         change == position_change::in_bfloat16 || change == position_change::truncated ||
         change == position_change::rounded_up || change == position_change::rounded_even;
}

struct position_map {
  position_change change = position_change::added_to;
  std::int64_t number = 0;

  /// The changed position; nullopt if it overflows the format.
  ///
  /// domain  a change that keeps whole positions whole
  std::optional<std::int64_t> operator()(std::int64_t position) const {
    switch (change) {
      case position_change::signed_bits: {
        const std::int64_t low = position & ((std::int64_t{1} << number) - 1);
        return low >= std::int64_t{1} << (number - 1) ? low - (std::int64_t{1} << number) : low;
      }
      case position_change::modulo: return (position % number + number) % number;
      case position_change::clamped: return std::clamp<std::int64_t>(position, 0, number - 1);
      case position_change::clamped_above: return std::min(position, number - 1);
      case position_change::saturated: return std::clamp(position, -number, number - 1);
      case position_change::not_negative: return std::max<std::int64_t>(position, 0);
      case position_change::in_binary32: return rounded_to<float>(position);
      case position_change::in_binary16: return rounded_to<binary16>(position);
      case position_change::in_bfloat16: return rounded_to<bfloat16>(position);
      case position_change::negated: return -position;
      case position_change::absolute: return position < 0 ? -position : position;
      case position_change::truncated:
      case position_change::rounded_up:
      case position_change::rounded_even:
      case position_change::half_after: return position;  // see `real`
      case position_change::added_to: break;
    }
    return position + number;
  }

  /// The same for a real position, which integers truncate.
  ///
  /// domain  |position| < 2^31
  std::optional<double> real(double position) const {
    const auto limit = static_cast<double>(number);
    switch (change) {
      case position_change::signed_bits: return of_whole(position);
      case position_change::modulo: {
        const double rest = std::fmod(position, limit);
        return rest < 0 ? rest + limit : rest;
      }
      case position_change::clamped: return std::clamp(position, 0.0, limit - 1);
      case position_change::clamped_above: return std::min(position, limit - 1);
      case position_change::saturated: return of_whole(position);
      case position_change::not_negative: return std::max(position, 0.0);
      case position_change::in_binary32: return real_rounded_to<float>(position);
      case position_change::in_binary16: return real_rounded_to<binary16>(position);
      case position_change::in_bfloat16: return real_rounded_to<bfloat16>(position);
      case position_change::negated: return -position;
      case position_change::absolute: return std::abs(position);
      case position_change::truncated: return std::trunc(position);
      case position_change::rounded_up: return std::floor(position + 0.5);
      case position_change::rounded_even: return position - std::remainder(position, 1.0);
      case position_change::half_after: return position + 0.5;
      case position_change::added_to: break;
    }
    return position + limit;
  }

 private:
  std::optional<double> of_whole(double position) const {
    const std::optional<std::int64_t> taken = (*this)(static_cast<std::int64_t>(position));
    return taken ? std::optional(static_cast<double>(*taken)) : std::nullopt;
  }

  template <floating_format Float>
  static std::optional<double> real_rounded_to(double position) {
    const bits_of<Float> rounded = convert<Float, double>(to_bits(position));
    if (!is_finite<Float>(rounded)) return std::nullopt;
    return from_bits<double>(convert<double, Float>(rounded));
  }

  template <floating_format Float>
  static std::optional<std::int64_t> rounded_to(std::int64_t position) {
    const std::optional<double> rounded = real_rounded_to<Float>(static_cast<double>(position));
    return rounded ? std::optional(static_cast<std::int64_t>(*rounded)) : std::nullopt;
  }
};

/// Calls add.template operator()<map>(name, sentence) for each map; `name` is the end of the fault's name.
template <class Add>
void for_each_position_map(Add add) {
  using enum position_change;
  add.template operator()<position_map{signed_bits, 8}>("int8",
                                                        "every position is taken as an 8-bit integer");
  add.template operator()<position_map{signed_bits, 16}>("int16",
                                                         "every position is taken as a 16-bit integer");
  add.template operator()<position_map{signed_bits, 24}>("int24",
                                                         "every position is taken as a 24-bit integer");
  add.template operator()<position_map{saturated, 1 << 7}>(
      "saturated-int8", "every position is taken as an 8-bit integer that saturates");
  add.template operator()<position_map{saturated, 1 << 15}>(
      "saturated-int16", "every position is taken as a 16-bit integer that saturates");
  add.template operator()<position_map{in_binary32}>(
      "f32", "every position passes through binary32, which is exact up to 2^24 only");
  add.template operator()<position_map{in_binary16}>(
      "f16", "every position passes through binary16, which is exact up to 2^11 only");
  add.template operator()<position_map{in_bfloat16}>(
      "bf16", "every position passes through bfloat16, which is exact up to 2^8 only");
  add.template operator()<position_map{negated}>("negated", the_other_way);
  add.template operator()<position_map{absolute}>("absolute", "the sign of a negative position is lost");
  add.template operator()<position_map{not_negative}>("not-negative", "a negative position is taken as 0");
  add.template operator()<position_map{added_to, -1}>(
      "before", "every position is taken as the one before it: off by one");
  add.template operator()<position_map{half_after}>(
      "half-after", "every position is taken half a step after it: a centre for an edge");
  add.template operator()<position_map{added_to, 2}>("two-ahead",
                                                     "every position is taken as the second one after it");
}

/// The same for maps of positions in binary64 only; whole positions are correct.
template <class Add>
void for_each_real_position_map(Add add) {
  using enum position_change;
  add.template operator()<position_map{in_bfloat16}>("bf16", "positions in binary64 are rounded to bfloat16");
  add.template operator()<position_map{in_binary16}>("f16", "positions in binary64 are rounded to binary16");
  add.template operator()<position_map{in_binary32}>("f32", "positions in binary64 are rounded to binary32");
  add.template operator()<position_map{truncated}>("truncated",
                                                   "positions in binary64 are truncated to whole numbers");
  add.template operator()<position_map{rounded_up}>(
      "rounded-up", "positions in binary64 are rounded to whole numbers, and centres between two upward");
  add.template operator()<position_map{rounded_even}>(
      "rounded-even", "positions in binary64 are rounded to whole numbers, and centres between two to even");
  add.template operator()<position_map{negated}>("negated", "positions in binary64 have the other sign");
  add.template operator()<position_map{absolute}>("absolute", "positions in binary64 lose their sign");
}

inline constexpr int least_position_power = 7, most_position_power = 20;  // lengths 2^power

/// Whether a length is among those of for_each_length_map.
constexpr bool has_map_of_its_own(std::int64_t length) {
  for (int power = least_position_power; power <= most_position_power; ++power)
    if (length == std::int64_t{1} << power) return true;
  return false;
}

/// The same for 2^power, a usual table length: positions wrapped, clamped at both ends, or clamped above.
template <int power, class Add>
void for_each_length_map(Add add) {
  using enum position_change;
  constexpr std::int64_t length = std::int64_t{1} << power;
  const std::string n = std::to_string(length), last = std::to_string(length - 1);
  const std::string unsigned_bits =
      power == 8 || power == 16 ? ", as an unsigned " + std::to_string(power) + "-bit integer does" : "";
  add.template operator()<position_map{modulo, length}>(
      "modulo-" + n, "every position is taken modulo " + n + unsigned_bits);
  add.template operator()<position_map{clamped, length}>("clamped-" + n,
                                                         "every position is clamped to 0 to " + last);
  add.template operator()<position_map{clamped_above, length}>(
      "clamped-above-" + n, "every position above " + last + " is clamped to it");
}

}  // namespace ropewalk::fault
