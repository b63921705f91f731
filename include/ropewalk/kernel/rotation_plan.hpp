#pragma once
// Data that every rotation kernel keeps from a resolved encoding, and the row of cosines and sines of one
// token.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/kernel/encoding_check.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

namespace detail {

using resolved_number = enclosure<rope_rows::limb_count>;

/// The enclosure of a number that was rounded to a binary64: half an ulp on either side; zero is exact.
inline resolved_number rounded_number(double value) {
  resolved_number number = resolved_number::of(value);
  if (value > 0) number.error = radius_at_least(1, decode<double>(to_bits(value)).exponent - 1);
  return number;
}

/// The enclosure of a number that was rounded to 32-bit words, low word first, times 2^exponent: half a unit
/// on either side.
inline resolved_number rounded_words(const std::uint32_t* words, int count, int exponent) {
  limbs<rope_rows::limb_count> significand;
  for (int i = 0; i < count; ++i) significand.word[i / 2] |= std::uint64_t{words[i]} << (32 * (i % 2));
  const auto midpoint = truncate<rope_rows::limb_count>(false, significand, exponent).value;
  return {midpoint, radius_at_least(1, exponent - 1)};
}

/// The enclosure of turns with their integer part: exact where the low 128 bits are zero.
inline resolved_number real_turns(const ropewalk_real& real) {
  resolved_number turns = rounded_words(real.significand, 8, real.exponent);
  if ((real.significand[0] | real.significand[1] | real.significand[2] | real.significand[3]) == 0)
    turns.error = {};
  return turns;
}

/// Turns per position, from the most precise of the encoding's numbers. A fraction has a fixed number of
/// bits, so inv_freq may be more precise for a very slow pair.
inline resolved_number resolved_turns(const ropewalk_rotation& encoding, int pair) {
  const double inv_freq = encoding.inv_freq[pair];
  if (inv_freq == 0) return resolved_number::of(0);
  if (encoding.turns_real != nullptr) return real_turns(encoding.turns_real[pair]);
  const resolved_number fraction = encoding.turns_256 != nullptr
                                       ? rounded_words(encoding.turns_256 + 8 * pair, 8, -256)
                                       : rounded_words(encoding.turns + 4 * pair, 4, -128);
  const resolved_number from_inv_freq = rounded_number(inv_freq) * inverse_two_pi<rope_rows::limb_count>();
  return from_inv_freq.error < fraction.error ? from_inv_freq : fraction;
}

/// The frequency in radians if it is exactly a binary64: its 256 bits in turns are then those of that
/// binary64 in turns. No rule gives an irrational frequency that close to a binary64.
inline given<double> exact_inv_freq(const ropewalk_rotation& encoding, int pair) {
  if (encoding.turns_real == nullptr || encoding.inv_freq[pair] == 0) return {};
  const resolved_number of_binary64 =
      resolved_number::of(encoding.inv_freq[pair]) * inverse_two_pi<rope_rows::limb_count>();
  if (compare(real_turns(encoding.turns_real[pair]), of_binary64) != order::undecided) return {};
  return encoding.inv_freq[pair];
}

/// The attention factor, from the most precise of the encoding's numbers. If its 256 bits equal the binary64,
/// it is exactly that number: no rule gives an irrational factor that close to a binary64. Without the 256
/// bits, only the factor 1 is exact.
inline resolved_number resolved_attention(const ropewalk_rotation& encoding) {
  const resolved_number exact = resolved_number::of(encoding.attention_factor);
  const ropewalk_real& real = encoding.attention_real;
  if (real.significand[7] == 0)
    return encoding.attention_factor == 1 ? exact : rounded_number(encoding.attention_factor);
  const resolved_number known = rounded_words(real.significand, 8, real.exponent);
  return known.midpoint == exact.midpoint ? exact : known;
}

inline rope_rows resolved_rows(const ropewalk_rotation& encoding) {
  rope_rows::resolved resolved{.attention_factor = resolved_attention(encoding)};
  for (int pair = 0; pair < encoding.rotary_dim / 2; ++pair) {
    resolved.turns.push_back(resolved_turns(encoding, pair));
    resolved.radians.push_back(exact_inv_freq(encoding, pair));
  }
  return rope_rows(std::move(resolved));
}

}  // namespace detail

/// A checked encoding, immutable: threads may share it.
struct rotation_plan {
  /// throws  refused_call naming the field, its value and what is allowed
  explicit rotation_plan(const ropewalk_rotation& encoding)
      : layout(check(encoding)),
        rotary_begin(std::exchange(layout.head.rotary_begin, 0)),
        axes(encoding.axes),
        has_real_turns(encoding.turns_real != nullptr),
        axis(static_cast<std::size_t>(layout.pairs()), 0),
        inv_freq(encoding.inv_freq, encoding.inv_freq + layout.pairs()),
        attention_factor(encoding.attention_factor),
        rows(detail::resolved_rows(encoding)),
        often{encoding.table_begin, encoding.table_end} {
    layout.head.head_dim -= rotary_begin;
    if (encoding.axis != nullptr) axis.assign(encoding.axis, encoding.axis + layout.pairs());
  }

  rotated_layout layout;  // of a head from its first rotated channel on
  int rotary_begin;       // channels before that one
  int axes;
  bool has_real_turns;    // turns include whole turns, which positions in binary64 need
  std::vector<int> axis;  // position row of each pair
  std::vector<double> inv_freq;
  double attention_factor;
  rope_rows rows;
  position_range often;  // a hint: frequent positions; empty if not known
};

/// Bits of the cosines and sines of one token: one of each per pair, shared by every head of query and key.
template <floating_format Table>
class token_row {
 public:
  /// A row of `pairs` pairs; every entry is +0.
  explicit token_row(int pairs)
      : cos_(static_cast<std::size_t>(pairs)),
        sin_(static_cast<std::size_t>(pairs)),
        other_cos_(cos_),
        other_sin_(cos_) {}

  /// Bits of the cosines.
  ///
  /// shape   [pairs]
  const bits_of<Table>* cos() const { return cos_.data(); }
  /// Bits of the sines, negated where the row was filled for a backward rotation.
  ///
  /// shape   [pairs]
  const bits_of<Table>* sin() const { return sin_.data(); }

  /// Cosine and sine of one pair, in this order.
  ///
  /// domain  0 <= pair < pairs
  bits_pair<Table> at(int pair) const {
    return {cos_[static_cast<std::size_t>(pair)], sin_[static_cast<std::size_t>(pair)]};
  }
  /// Replaces cosine and sine of one pair, for rows that `fill` does not compute.
  ///
  /// domain  0 <= pair < pairs
  void set(int pair, bits_pair<Table> entry) {
    cos_[static_cast<std::size_t>(pair)] = entry.first;
    sin_[static_cast<std::size_t>(pair)] = entry.second;
  }

  /// Fills the row with correctly rounded entries, each pair at the position on its axis plus `ahead`. With a
  /// real position, the sum is rounded to binary64. The attention factor is included unless `unit`;
  /// `backward` negates every sine.
  void fill(const rotation_plan& plan, const token_place& place, bool unit, bool backward,
            std::int64_t ahead = 0) {
    if (place.is_real()) return fill_real(plan, place, unit, backward, static_cast<double>(ahead));
    const auto compute = [&](std::int64_t position, bits_of<Table>* cos, bits_of<Table>* sin) {
      plan.rows.row<Table>(position + ahead, unit, cos, sin);
    };
    fill_from(plan, place, backward, compute);
  }

  /// The same with rows from compute(position, cos, sin).
  template <class Compute>
  void fill_from(const rotation_plan& plan, const token_place& place, bool backward, Compute compute) {
    compute(place.position(0), cos_.data(), sin_.data());
    for (int axis = 1; axis < plan.axes; ++axis) {
      compute(place.position(axis), other_cos_.data(), other_sin_.data());
      for (std::size_t pair = 0; pair < cos_.size(); ++pair)
        if (plan.axis[pair] == axis) cos_[pair] = other_cos_[pair], sin_[pair] = other_sin_[pair];
    }
    if (backward)
      for (bits_of<Table>& sine : sin_) sine = negate<Table>(sine);
  }

 private:
  void fill_real(const rotation_plan& plan, const token_place& place, bool unit, bool backward,
                 double ahead) {
    for (std::size_t pair = 0; pair < cos_.size(); ++pair) {
      const double position = place.real_position(plan.axis[pair]) + ahead;
      const cos_sin_bits<Table> entry = plan.rows.entry<Table>(static_cast<int>(pair), position, unit);
      cos_[pair] = entry.cos;
      sin_[pair] = backward ? negate<Table>(entry.sin) : entry.sin;
    }
  }

  std::vector<bits_of<Table>> cos_;
  std::vector<bits_of<Table>> sin_;
  std::vector<bits_of<Table>> other_cos_;  // the row of a later axis
  std::vector<bits_of<Table>> other_sin_;
};

}  // namespace ropewalk
