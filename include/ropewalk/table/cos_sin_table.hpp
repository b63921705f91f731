#pragma once
// Tables of cosine and sine over positions, correctly rounded, attention factor included: each is a constexpr
// variable template.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/table_columns.hpp"
#include "ropewalk/table/unit_vector.hpp"

namespace ropewalk {

/// Bits of one entry: a cos and a sin of one pair at one position, with attention factor a.
template <floating_format Float>
struct cos_sin_bits {
  bits_of<Float> cos{};
  bits_of<Float> sin{};
};

namespace detail {

/// Cosine and sine times the attention factor, as enclosures.
template <int N>
constexpr cos_sin<N> scaled(const cos_sin<N>& point, const enclosure<N>& factor) {
  return {point.cos * factor, point.sin * factor};
}

template <int N, class Position>
constexpr cos_sin<N> rope_cos_sin(int pair, Position position, const rope& config) {
  const cos_sin<N> point = cos_sin_of_turns(rope_turns<N>(pair, config) * enclosure<N>::of(position));
  return scaled(point, rope_attention_factor<N>(config));
}

/// One entry, correctly rounded: from the given enclosures if they decide, otherwise by Ziv's loop. The
/// position is an int64 or a finite binary64.
template <floating_format Float, class Position>
constexpr cos_sin_bits<Float> round_cos_sin(const enclosure<table_limbs>& turns,
                                            const enclosure<table_limbs>& factor, int pair, Position position,
                                            const rope& config) {
  const auto at_hand = scaled(cos_sin_of_turns(turns * enclosure<table_limbs>::of(position)), factor);
  const rounding<Float> c = round<Float>(at_hand.cos), s = round<Float>(at_hand.sin);
  if (c.decided && s.decided) return {c.bits, s.bits};
  return {round_with_enough_limbs<Float>(
              "cos", [&]<int N>() { return rope_cos_sin<N>(pair, position, config).cos; }),
          round_with_enough_limbs<Float>(
              "sin", [&]<int N>() { return rope_cos_sin<N>(pair, position, config).sin; })};
}

/// Entries of one pair at consecutive positions, by a walk: store(index, entry). Entries that the walk does
/// not decide come from otherwise(position).
template <floating_format Float, int N, class Store, class Otherwise>
constexpr void walk_positions(position_range positions, const enclosure<N>& turns, const fixed_factor& factor,
                              Store store, Otherwise otherwise) {
  const auto at = [&](std::int64_t position) {  // a unit_vector holds two limbs
    return to_unit_vector(cos_sin_of_turns(with_limbs<2>(turns * enclosure<N>::of(position))));
  };
  const unit_vector step = at(1), first = at(positions.begin),
                    second = positions.begin == 0 ? step : at(positions.begin + 1);
  const bool is_unit = is_one(factor);
  walk(first, second, step, size(positions),
       [&](std::int64_t n, signed_wide_word cos, signed_wide_word sin, std::uint64_t error) {
         if constexpr (format<Float>::precision <= widest_quick_rounding) {
           cos_sin_bits<Float> quick;
           if (is_unit && round_quickly<Float>(cos, error, quick.cos) &&
               round_quickly<Float>(sin, error, quick.sin))
             return store(n, quick);
         }
         const rounding<Float> c = round<Float>(cos, error, factor), s = round<Float>(sin, error, factor);
         store(n,
               c.decided && s.decided ? cos_sin_bits<Float>{c.bits, s.bits} : otherwise(positions.begin + n));
       });
}

template <rope Config>
inline constexpr enclosure<table_limbs> attention_factor_v = rope_attention_factor<table_limbs>(Config);

template <floating_format Float, rope Config, position_range Positions, int Pair>
inline constexpr auto rope_column = [] {
  constexpr auto turns = inv_freq_of<Config, Pair> * inverse_two_pi<table_limbs>();
  pair_column<Float, checked_size<Positions>()> column;
  walk_positions<Float>(
      Positions, turns, to_fixed_factor(attention_factor_v<Config>),
      [&](std::int64_t n, const cos_sin_bits<Float>& entry) {
        column.cos[n] = from_bits<Float>(entry.cos);
        column.sin[n] = from_bits<Float>(entry.sin);
      },
      [&](std::int64_t position) {
        return round_cos_sin<Float>(turns, attention_factor_v<Config>, Pair, position, Config);
      });
  return column;
}();

enum class wave_of_pair { cosine, sine };

/// Cosines or sines of a rotary embedding, one column per pair.
template <floating_format Float, rope Config, position_range Positions, wave_of_pair Wave>
struct rope_table_source {
  using value = Float;
  static constexpr std::size_t width = checked_pair_count<Config>();
  static constexpr bool is_zero(std::size_t) { return false; }

  template <std::int64_t Block>
  static constexpr auto columns = []<std::size_t... Pair>(std::index_sequence<Pair...>) {
    constexpr position_range part = block_positions<Positions, Block>;
    if constexpr (Wave == wave_of_pair::cosine)
      return std::array<const Float*, width>{rope_column<Float, Config, part, static_cast<int>(Pair)>.cos...};
    else
      return std::array<const Float*, width>{rope_column<Float, Config, part, static_cast<int>(Pair)>.sin...};
  }
  (std::make_index_sequence<width>{});
};

}  // namespace detail

/// a cos(position inv_freq) for a range of positions, computed at compile time.
///
/// shape   [positions, rotary_dim / 2]
/// error   correctly rounded
/// throws  does not compile if `validate(rope)` or `validate(position_range)` would throw
template <floating_format Float, rope Config, position_range Positions>
inline constexpr auto cos_table = detail::gathered_table<
    detail::rope_table_source<Float, Config, Positions, detail::wave_of_pair::cosine>, Positions>();

/// a sin(position inv_freq); sin 0 is +0. Labels as `cos_table`.
template <floating_format Float, rope Config, position_range Positions>
inline constexpr auto sin_table = detail::gathered_table<
    detail::rope_table_source<Float, Config, Positions, detail::wave_of_pair::sine>, Positions>();

}  // namespace ropewalk
