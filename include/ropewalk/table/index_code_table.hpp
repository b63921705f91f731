#pragma once
// Tables of index codes, every number rounded once; where the exact value is rational, ties go to even.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/index_code.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/cos_sin_table.hpp"

namespace ropewalk {

/// One number of a code.
///
/// error   correctly rounded, ties to even; infinity if an integer overflows the format
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr bits_of<Float> round_index_code(std::int64_t position, int column, const index_code& config) {
  if (is_rational(config.kind)) return round<Float>(exact_index_code(position, column, config));
  return round_with_enough_limbs<Float>(
      "sine", [&]<int N>() { return index_code_entry<N>(position, column, config); });
}

namespace detail {

// Enough for all but rare entries of a table, which Ziv's loop decides.
inline constexpr int sine_limbs = 3;

/// Turns per position of every channel of the sine-only code; empty for other codes.
inline std::vector<enclosure<sine_limbs>> sine_only_turns(const index_code& config) {
  std::vector<enclosure<sine_limbs>> turns;
  for (int column = 0; !is_rational(config.kind) && column < config.width; ++column)
    turns.push_back(sine_only_inv_freq<sine_limbs>(column, config) * inverse_two_pi<sine_limbs>());
  return turns;
}

}  // namespace detail

/// Bits of the codes of a range of positions.
///
/// shape   [positions, width], row-major
/// error   correctly rounded, ties to even
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
std::vector<bits_of<Float>> index_codes(position_range positions, const index_code& config) {
  validate(positions);
  validate_position(positions.begin, config);
  validate_position(positions.end - 1, config);
  const auto turns = detail::sine_only_turns(config);
  std::vector<bits_of<Float>> bits;
  for (std::int64_t position = positions.begin; position < positions.end; ++position)
    for (int column = 0; column < config.width; ++column) {
      rounding<Float> quick{};
      if (!is_rational(config.kind)) {
        const auto& per_position = turns[static_cast<std::size_t>(column)];
        const auto where = enclosure<detail::sine_limbs>::of(position);
        quick = round<Float>(cos_sin_of_turns(per_position * where).sin);
      }
      bits.push_back(quick.decided ? quick.bits : round_index_code<Float>(position, column, config));
    }
  return bits;
}

namespace detail {

template <floating_format Float, index_code Config, position_range Positions, int Column>
inline constexpr auto index_code_column = [] {
  std::array<Float, checked_size<Positions>()> codes{};
  Float* to = codes.data();
  if constexpr (is_rational(Config.kind)) {
    for (std::size_t i = 0; i < codes.size(); ++i)
      to[i] = from_bits<Float>(
          round_index_code<Float>(Positions.begin + static_cast<std::int64_t>(i), Column, Config));
  } else {
    constexpr auto turns = sine_only_inv_freq<sine_limbs>(Column, Config) * inverse_two_pi<sine_limbs>();
    walk_positions<Float>(
        Positions, turns, fixed_factor{},
        [&](std::int64_t n, const cos_sin_bits<Float>& entry) { to[n] = from_bits<Float>(entry.sin); },
        [&](std::int64_t position) {
          return cos_sin_bits<Float>{{}, round_index_code<Float>(position, Column, Config)};
        });
  }
  return codes;
}();

template <index_code Config>
constexpr std::size_t checked_width() {
  validate(Config);
  return static_cast<std::size_t>(Config.width);
}

template <floating_format Float, index_code Config, position_range Positions>
struct index_code_entries {
  using value = Float;
  static constexpr std::size_t width = checked_width<Config>();
  static constexpr bool is_zero(std::size_t) { return false; }

  template <std::int64_t Block>
  static constexpr auto columns = []<std::size_t... Column>(std::index_sequence<Column...>) {
    constexpr position_range part = block_positions<Positions, Block>;
    return std::array<const Float*, width>{
        index_code_column<Float, Config, part, static_cast<int>(Column)>.data()...};
  }
  (std::make_index_sequence<width>{});
};

}  // namespace detail

/// Bits of the codes of a range of positions, computed at compile time.
///
/// shape   [positions, width]
/// throws  does not compile if the configuration or a position would be refused
template <floating_format Float, index_code Config, position_range Positions>
inline constexpr auto index_code_table =
    detail::gathered_table<detail::index_code_entries<Float, Config, Positions>, Positions>();

}  // namespace ropewalk
