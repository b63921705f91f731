#pragma once
// Tables of cosine and sine over positions, correctly rounded, attention factor included: constexpr arrays named in one line.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/unit_vector.hpp"

namespace ropewalk {

/// Bit patterns of one entry: a cos and a sin of one pair at one position.
template <floating_format Float>
struct cos_sin_bits {
  bits_of<Float> cos{};
  bits_of<Float> sin{};
};

namespace detail {

/// a cos and a sin at one position, exact values enclosed by N limbs.
template <int N>
constexpr cos_sin<N> scaled(const cos_sin<N>& point, const enclosure<N>& factor) {
  return {point.cos * factor, point.sin * factor};
}

template <int N>
constexpr cos_sin<N> rope_cos_sin(int pair, std::int64_t position, const rope& config) {
  const cos_sin<N> point = cos_sin_of_turns(rope_turns<N>(pair, config) * enclosure<N>::of(position));
  return scaled(point, rope_attention_factor<N>(config));
}

/// One entry, first from enclosures at hand and then by Ziv's loop.
template <floating_format Float>
constexpr cos_sin_bits<Float> round_cos_sin(const enclosure<table_limbs>& turns,
                                            const enclosure<table_limbs>& factor, int pair,
                                            std::int64_t position, const rope& config) {
  const auto at_hand = scaled(cos_sin_of_turns(turns * enclosure<table_limbs>::of(position)), factor);
  const rounding<Float> c = round<Float>(at_hand.cos), s = round<Float>(at_hand.sin);
  if (c.decided && s.decided) return {c.bits, s.bits};
  return {round_with_enough_limbs<Float>(
              "cos", [&]<int N>() { return rope_cos_sin<N>(pair, position, config).cos; }),
          round_with_enough_limbs<Float>(
              "sin", [&]<int N>() { return rope_cos_sin<N>(pair, position, config).sin; })};
}

/// Consecutive positions of one pair, walked; what the walk does not decide, `otherwise(position)` does.
template <floating_format Float, int N, class Store, class Otherwise>
constexpr void walk_positions(position_range positions, const enclosure<N>& turns, const fixed_factor& factor,
                              Store store, Otherwise otherwise) {
  const auto at = [&](std::int64_t position) {  // two limbs are what a unit_vector holds
    return to_unit_vector(cos_sin_of_turns(with_limbs<2>(turns * enclosure<N>::of(position))));
  };
  const unit_vector step = at(1), first = at(positions.begin),
                    second = positions.begin == 0 ? step : at(positions.begin + 1);
  walk(first, second, step, size(positions),
       [&](std::int64_t n, signed_wide_word cos, signed_wide_word sin, std::uint64_t error) {
         const rounding<Float> c = round<Float>(cos, error, factor), s = round<Float>(sin, error, factor);
         store(n,
               c.decided && s.decided ? cos_sin_bits<Float>{c.bits, s.bits} : otherwise(positions.begin + n));
       });
}

template <rope Config>
inline constexpr enclosure<table_limbs> attention_factor_v = rope_attention_factor<table_limbs>(Config);

template <floating_format Float, rope Config, position_range Positions, int Pair>
inline constexpr auto cos_sin_column = [] {
  constexpr auto turns = inv_freq_of<Config, Pair> * inverse_two_pi<table_limbs>();
  std::array<cos_sin_bits<Float>, static_cast<std::size_t>(size(Positions))> column{};
  walk_positions<Float>(
      Positions, turns, to_fixed_factor(attention_factor_v<Config>),
      [&](std::int64_t n, const cos_sin_bits<Float>& entry) { column[static_cast<std::size_t>(n)] = entry; },
      [&](std::int64_t position) {
        return round_cos_sin<Float>(turns, attention_factor_v<Config>, Pair, position, Config);
      });
  return column;
}();

template <position_range Positions>
constexpr std::size_t checked_size() {
  validate(Positions);
  return static_cast<std::size_t>(size(Positions));
}

template <floating_format Float, rope Config, position_range Positions, std::size_t... Pair>
constexpr auto gather_rows(bits_of<Float> cos_sin_bits<Float>::*which, std::index_sequence<Pair...>) {
  std::array<std::array<Float, sizeof...(Pair)>, checked_size<Positions>()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {
        from_bits<Float>(cos_sin_column<Float, Config, Positions, static_cast<int>(Pair)>[i].*which)...};
  return rows;
}

}  // namespace detail

/// a cos(position inv_freq) for a run of positions, made by the compiler.
///
/// shape   [positions, rotary_dim / 2]
/// error   correctly rounded
/// throws  does not compile where `validate(rope)` or `validate(position_range)` would throw
template <floating_format Float, rope Config, position_range Positions>
inline constexpr auto cos_table = detail::gather_rows<Float, Config, Positions>(
    &cos_sin_bits<Float>::cos, std::make_index_sequence<detail::checked_pair_count<Config>()>{});

/// a sin(position inv_freq); sin 0 is +0. Labels as `cos_table`.
template <floating_format Float, rope Config, position_range Positions>
inline constexpr auto sin_table = detail::gather_rows<Float, Config, Positions>(
    &cos_sin_bits<Float>::sin, std::make_index_sequence<detail::checked_pair_count<Config>()>{});

}  // namespace ropewalk
