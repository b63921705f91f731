#pragma once
// Rows of cosine and sine at run time, correctly rounded, for kernels and exported tables. Positions may be
// any signed 32-bit integers or finite binary64 numbers, in any order. Rows are made from a configuration
// with one axis or several, or from the resolved numbers of the C interface.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/numeric/near_fraction.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/cos_sin_table.hpp"
#include "ropewalk/table/just_below.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {

/// Type of a token's position: an integer type whose values fit in an int64, or a binary64.
template <class Position>
concept position_number = (std::integral<Position> &&
                           (std::signed_integral<Position> || sizeof(Position) < sizeof(std::int64_t))) ||
                          std::same_as<Position, double>;

namespace detail {

template <int N, position_number Position>
constexpr enclosure<N> exact_position(Position position) {
  if constexpr (std::integral<Position>)
    return enclosure<N>::of(static_cast<std::int64_t>(position));
  else
    return enclosure<N>::of(position);
}

template <int N>
constexpr enclosure<N> whole_number(std::uint64_t value) {
  return {truncate<N>(false, limbs_of<1>(value), 0).value, {}};
}

}  // namespace detail

/// Turns per position of every pair and the attention factor, as enclosures, and the rows that they give. A
/// pair's position is that on its own axis. This is a template so that its functions are compiled only where
/// they are used.
template <int Limbs>
class rows_of_rope {
 public:
  static constexpr int limb_count = Limbs;

  /// throws  std::invalid_argument naming the field and its value; undecided if a scaling rule is not decided
  explicit rows_of_rope(const rope& config) : rows_of_rope(placed_rope{config}) {}
  explicit rows_of_rope(const placed_rope& config);

  /// Numbers of a kernel's plan: each pair's turns per position and the attention factor, with their errors,
  /// and a pair's radians per position if exactly a binary64. Turns that are a fraction rounded to 256 bits
  /// stand for the fraction.
  struct resolved {
    std::vector<enclosure<limb_count>> turns{};
    std::vector<given<double>> radians{};
    enclosure<limb_count> attention_factor{};
  };
  explicit rows_of_rope(resolved numbers)
      : turns_(std::move(numbers.turns)), radians_(std::move(numbers.radians)) {
    set_factor(numbers.attention_factor);
  }

  /// Number of channel pairs that rotate.
  int pairs() const { return static_cast<int>(turns_.size()); }
  /// Turns of one pair.
  ///
  /// units   turns per position
  /// domain  0 <= pair < pairs()
  const enclosure<limb_count>& turns(int pair) const { return turns_[static_cast<std::size_t>(pair)]; }
  /// Factor of every cosine and sine, except with `unit`.
  const enclosure<limb_count>& attention_factor() const { return factor_; }

  /// a cos and a sin at one position as enclosures, or cos and sin with `unit`.
  ///
  /// error   carried; N above limb_count narrows it only if a configuration or exact radians are known;
  ///         unbounded if N limbs do not hold the position
  template <int N, position_number Position>
  cos_sin<N> exact(int pair, Position position, bool unit) const;

  /// Bits of one entry. At position 0, and for a pair that stands still, the cosine is the factor and the
  /// sine is 0. At any exact multiple of a quarter turn, one of them is 0 and the other is the factor with a
  /// sign.
  ///
  /// domain  any finite position
  /// error   correctly rounded; every exact 0 is +0, whatever the signs of position and phase
  /// throws  undecided at the cap of Ziv's loop
  template <floating_format Float, position_number Position>
  cos_sin_bits<Float> entry(int pair, Position position, bool unit) const;

  /// Bits of the row of one position.
  ///
  /// shape   cos, sin [pairs]
  /// error   correctly rounded; sin 0 is +0
  /// throws  undecided at the cap of Ziv's loop
  template <floating_format Float, position_number Position>
  void row(Position position, bool unit, bits_of<Float>* cos, bits_of<Float>* sin) const {
    for (int pair = 0; pair < pairs(); ++pair) {
      const cos_sin_bits<Float> bits = entry<Float>(pair, position, unit);
      cos[pair] = bits.cos;
      sin[pair] = bits.sin;
    }
  }

  /// Consecutive rows by a walk, which is much faster per entry than `row` and gives the same bits.
  ///
  /// shape   cos, sin [positions, pairs]
  /// throws  as row, and std::invalid_argument for a bad range
  template <floating_format Float>
  void rows(position_range positions, bool unit, bits_of<Float>* cos, bits_of<Float>* sin) const;

 private:
  struct decision {
    bool decided;
  };
  template <floating_format Float>
  struct entry_rounding {
    rounding<Float> cos;
    rounding<Float> sin;
    bool decided() const { return cos.decided && sin.decided; }
  };

  /// Rounds entries of tiny angles, which may lie too close to a tie for any precision. The cosine lies below
  /// 1, and the sine below the angle, by a relative difference of the order of the angle's square, so each is
  /// rounded just below that value, times the factor.
  template <floating_format Float, position_number Position>
  void decide_small_angle(entry_rounding<Float>& result, int pair, Position position, bool unit) const;

  static enclosure<Limbs> decided_turns(int pair, const placed_rope& config);
  /// The angle of a pair as a quotient, if it may be exact; otherwise nothing.
  given<frequency_terms<Limbs>> exact_angle(int pair, const enclosure<Limbs>& where) const;

  void set_factor(const enclosure<limb_count>& factor) {
    factor_ = factor;
    fixed_factor_ = to_fixed_factor(factor);
  }

  std::vector<enclosure<limb_count>> turns_;
  std::vector<given<double>> radians_;  // of rows from resolved numbers
  enclosure<limb_count> factor_{};
  fixed_factor fixed_factor_{};
  given<placed_rope> config_{};
};

template <int Limbs>
rows_of_rope<Limbs>::rows_of_rope(const placed_rope& config) : config_(config) {
  const auto shared = share<limb_count>(config);
  for (int pair = 0; pair < pair_count(config.encoding); ++pair) {
    enclosure<limb_count> turns = turns_of_index(pair, config, shared);
    if (is_unbounded(turns)) turns = decided_turns(pair, config);
    turns_.push_back(turns);
  }
  set_factor(rope_attention_factor<limb_count>(config.encoding));
}

template <int Limbs>
template <int N, position_number Position>
cos_sin<N> rows_of_rope<Limbs>::exact(int pair, Position position, bool unit) const {
  const enclosure<N> where = detail::exact_position<N>(position);
  if (top_exponent(where.midpoint) > limb_bits * N) return {unbounded<N>(), unbounded<N>()};
  enclosure<N> phase = with_limbs<N>(turns(pair)) * where;
  if constexpr (N > limb_count) {
    if (config_) {
      const cos_sin<N> point = cos_sin_of_turns(phase_of_index(pair, where, config_.value));
      return unit ? point : detail::scaled(point, rope_attention_factor<N>(config_.value.encoding));
    }
    const auto at = static_cast<std::size_t>(pair);
    if (at < radians_.size() && radians_[at])
      phase = enclosure<N>::of(radians_[at].value) * inverse_two_pi<N>() * where;
    else if (const auto fraction = is_exact(turns(pair)) ? std::nullopt : fraction_near(turns(pair)))
      phase = times_power_of_two(where * detail::whole_number<N>(fraction->numerator), fraction->exponent) /
              detail::whole_number<N>(fraction->denominator);
  }
  const cos_sin<N> point = cos_sin_of_turns(phase);
  return unit ? point : detail::scaled(point, with_limbs<N>(factor_));
}

template <int Limbs>
template <floating_format Float, position_number Position>
cos_sin_bits<Float> rows_of_rope<Limbs>::entry(int pair, Position position, bool unit) const {
  const auto quick = exact<2>(pair, position, unit);
  entry_rounding<Float> result{round<Float>(quick.cos), round<Float>(quick.sin)};
  if (!result.decided()) decide_small_angle(result, pair, position, unit);
  if (!result.decided())
    with_enough_limbs("cos or sin", [&]<int N>() {
      const auto point = exact<N>(pair, position, unit);
      if (!result.cos.decided) result.cos = round<Float>(point.cos);
      if (!result.sin.decided) result.sin = round<Float>(point.sin);
      return decision{result.decided()};
    });
  return {result.cos.bits, result.sin.bits};
}

template <int Limbs>
template <floating_format Float>
void rows_of_rope<Limbs>::rows(position_range positions, bool unit, bits_of<Float>* cos,
                               bits_of<Float>* sin) const {
  validate(positions);
  constexpr std::int64_t longest_walk = 256;  // the walk's error grows with the square of its length
  const auto width = static_cast<std::size_t>(pairs());
  for (std::int64_t begin = positions.begin; begin < positions.end; begin += longest_walk) {
    const position_range part{begin,
                              begin + longest_walk < positions.end ? begin + longest_walk : positions.end};
    const std::size_t first_row = static_cast<std::size_t>(begin - positions.begin) * width;
    for (int pair = 0; pair < pairs(); ++pair) {
      std::size_t at = first_row + static_cast<std::size_t>(pair);
      detail::walk_positions<Float>(
          part, turns(pair), unit ? fixed_factor{} : fixed_factor_,
          [&](std::int64_t, const cos_sin_bits<Float>& bits) {
            cos[at] = bits.cos;
            sin[at] = bits.sin;
            at += width;
          },
          [&](std::int64_t position) { return entry<Float>(pair, position, unit); });
    }
  }
}

template <int Limbs>
template <floating_format Float, position_number Position>
void rows_of_rope<Limbs>::decide_small_angle(entry_rounding<Float>& result, int pair, Position position,
                                             bool unit) const {
  using real = enclosure<limb_count>;
  const real where = detail::exact_position<limb_count>(position), phase = turns(pair) * where;
  const radius above = times_power_of_two(magnitude_above(phase), 3);  // bounds the angle: 2 pi < 8
  if (may_be_zero(phase) || 2 * (above.exponent + 32) > -limb_bits * limb_count) return;
  const real factor = unit ? real::of(1) : factor_;
  if (!result.cos.decided) result.cos = detail::round_just_below<Float>(factor);
  const auto angle = exact_angle(pair, where);
  if (angle && !result.sin.decided)
    result.sin = detail::round_just_below<Float>(angle.value.numerator * factor / angle.value.denominator);
}

template <int Limbs>
given<frequency_terms<Limbs>> rows_of_rope<Limbs>::exact_angle(int pair,
                                                               const enclosure<Limbs>& where) const {
  if (config_) return angle_of_index(pair, where, config_.value);
  const auto at = static_cast<std::size_t>(pair);
  if (at >= radians_.size() || !radians_[at]) return {};
  return frequency_terms<Limbs>{where * enclosure<Limbs>::of(radians_[at].value), enclosure<Limbs>::of(1)};
}

template <int Limbs>
enclosure<Limbs> rows_of_rope<Limbs>::decided_turns(int pair, const placed_rope& config) {
  struct narrowed {
    enclosure<limb_count> value;
    bool decided;
  };
  return with_enough_limbs("inv_freq",
                           [&]<int N>() {
                             const enclosure<N> turns = turns_of_index(pair, config, share<N>(config));
                             return narrowed{with_limbs<limb_count>(turns), !is_unbounded(turns)};
                           })
      .value;
}

/// Rows with 384 bits: 31 for a position, 256 for its phase, and some to spare.
using rope_rows = rows_of_rope<6>;

ROPEWALK_COMPILED_FUNCTION(rows_of_rope<6>::rows_of_rope(const placed_rope&));
#define ROPEWALK_ROWS(Float)                                                                              \
  ROPEWALK_COMPILED_FUNCTION(cos_sin_bits<Float> rows_of_rope<6>::entry<Float>(int, std::int64_t, bool)   \
                                 const);                                                                  \
  ROPEWALK_COMPILED_FUNCTION(cos_sin_bits<Float> rows_of_rope<6>::entry<Float>(int, double, bool) const); \
  ROPEWALK_COMPILED_FUNCTION(                                                                             \
      void rows_of_rope<6>::rows<Float>(position_range, bool, bits_of<Float>*, bits_of<Float>*) const);
ROPEWALK_EACH_FORMAT(ROPEWALK_ROWS)
#undef ROPEWALK_ROWS

}  // namespace ropewalk
