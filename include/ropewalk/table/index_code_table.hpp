#pragma once
// Tables of index codes, every number rounded once: ties to even where the truth is rational.

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
/// error   correctly rounded, ties to even; an integer above the format's largest number is infinite
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr bits_of<Float> round_index_code(std::int64_t position, int column, const index_code& config) {
  if (is_rational(config.kind)) return round<Float>(exact_index_code(position, column, config));
  return round_with_enough_limbs<Float>(
      "sine", [&]<int N>() { return index_code_entry<N>(position, column, config); });
}

namespace detail {

inline constexpr int sine_limbs =
    3;  // decide what tables hold but for rare entries, which Ziv's loop takes up

/// Turns per position of every channel of the sine-only code; none of another kind.
inline std::vector<enclosure<sine_limbs>> sine_only_turns(const index_code& config) {
  std::vector<enclosure<sine_limbs>> r;
  for (int column = 0; !is_rational(config.kind) && column < config.width; ++column)
    r.push_back(sine_only_inv_freq<sine_limbs>(column, config) * inverse_two_pi<sine_limbs>());
  return r;
}

}  // namespace detail

/// Codes of a run of positions, as bit patterns.
///
/// shape   [positions, width], row after row
/// error   correctly rounded, ties to even
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
std::vector<bits_of<Float>> index_codes(position_range positions, const index_code& config) {
  validate(positions);
  validate_position(positions.begin, config);
  validate_position(positions.end - 1, config);
  const auto turns = detail::sine_only_turns(config);
  std::vector<bits_of<Float>> r;
  for (std::int64_t position = positions.begin; position < positions.end; ++position)
    for (int column = 0; column < config.width; ++column) {
      rounding<Float> quick{};
      if (!is_rational(config.kind)) {
        const auto& per_position = turns[static_cast<std::size_t>(column)];
        const auto where = enclosure<detail::sine_limbs>::of(position);
        quick = round<Float>(cos_sin_of_turns(per_position * where).sin);
      }
      r.push_back(quick.decided ? quick.bits : round_index_code<Float>(position, column, config));
    }
  return r;
}

namespace detail {

// One variable a column: compilers count the steps of constant evaluation per variable, so no flag is needed.
template <floating_format Float, index_code Config, position_range Positions, std::size_t Column>
inline constexpr auto index_code_column = [] {
  constexpr int column = static_cast<int>(Column);
  std::array<bits_of<Float>, checked_size<Positions>()> r{};
  if constexpr (is_rational(Config.kind)) {
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] = round_index_code<Float>(Positions.begin + static_cast<std::int64_t>(i), column, Config);
  } else {
    constexpr auto turns = sine_only_inv_freq<sine_limbs>(column, Config) * inverse_two_pi<sine_limbs>();
    walk_positions<Float>(
        Positions, turns, fixed_factor{},
        [&](std::int64_t n, const cos_sin_bits<Float>& entry) { r[static_cast<std::size_t>(n)] = entry.sin; },
        [&](std::int64_t position) {
          return cos_sin_bits<Float>{{}, round_index_code<Float>(position, column, Config)};
        });
  }
  return r;
}();

template <floating_format Float, index_code Config, position_range Positions, std::size_t... Column>
constexpr auto gather_index_codes(std::index_sequence<Column...>) {
  std::array<std::array<Float, sizeof...(Column)>, checked_size<Positions>()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {from_bits<Float>(index_code_column<Float, Config, Positions, Column>[i])...};
  return rows;
}

template <index_code Config>
constexpr std::size_t checked_width() {
  validate(Config);
  return static_cast<std::size_t>(Config.width);
}

}  // namespace detail

/// The same made by the compiler.
///
/// shape   [positions, width]
/// throws  does not compile where a configuration or a position would be refused
template <floating_format Float, index_code Config, position_range Positions>
inline constexpr auto index_code_table = detail::gather_index_codes<Float, Config, Positions>(
    std::make_index_sequence<detail::checked_width<Config>()>{});

}  // namespace ropewalk
