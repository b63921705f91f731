#pragma once
// The sinusoidal encoding as a constexpr array named in one line: every convention, four formats, correctly
// rounded.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/table/sinusoidal_entry.hpp"

namespace ropewalk {

namespace detail {

/// Positions as rows, which is where their angles are whole multiples of the pair's frequency.
constexpr position_range rows_of(position_range positions, const sinusoidal& config) {
  return {positions.begin + row_offset(config), positions.end + row_offset(config)};
}

/// Cosines and sines of one pair at consecutive positions: store(index, cos_sin_bits). The padding's are for
/// the caller.
template <floating_format Float, int N, class Store>
constexpr void walk_sinusoid(int pair, position_range positions, const enclosure<N>& turns,
                             const sinusoidal& config, Store store) {
  walk_positions<Float>(rows_of(positions, config), turns, fixed_factor{}, store, [&](std::int64_t row) {
    return round_sinusoid<Float>(pair, static_cast<double>(row - row_offset(config)), config);
  });
}

template <sinusoidal Config>
inline constexpr enclosure<table_limbs> sinusoidal_log_base = log_base<table_limbs>(Config);

// One variable a pair: compilers count the steps of constant evaluation per variable, so no flag is needed.
template <floating_format Float, sinusoidal Config, position_range Positions, std::size_t Pair>
inline constexpr auto sinusoid_column = [] {
  constexpr int pair = static_cast<int>(Pair);
  constexpr auto turns = sinusoidal_turns<table_limbs>(pair, Config, sinusoidal_log_base<Config>);
  std::array<cos_sin_bits<Float>, checked_size<Positions>()> column{};
  walk_sinusoid<Float>(pair, Positions, turns, Config, [&](std::int64_t n, const cos_sin_bits<Float>& entry) {
    column[static_cast<std::size_t>(n)] = entry;
  });
  return column;
}();

template <floating_format Float, sinusoidal Config, position_range Positions, std::size_t... Pair>
constexpr auto gather_sinusoids(std::index_sequence<Pair...>) {
  std::array<std::array<Float, static_cast<std::size_t>(Config.d_model)>, checked_size<Positions>()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_padding(static_cast<double>(Positions.begin) + static_cast<double>(i), Config)) continue;
    const auto put = [&](int pair, const cos_sin_bits<Float>& entry) {
      const sinusoidal_channels at = channels_of(pair, Config);
      rows[i][static_cast<std::size_t>(at.sine)] = from_bits<Float>(entry.sin);
      rows[i][static_cast<std::size_t>(at.cosine)] = from_bits<Float>(entry.cos);
    };
    (put(static_cast<int>(Pair), sinusoid_column<Float, Config, Positions, Pair>[i]), ...);
  }
  return rows;
}

template <sinusoidal Config>
constexpr std::size_t checked_sinusoid_count() {
  validate(Config);
  return static_cast<std::size_t>(pair_count(Config));
}

}  // namespace detail

/// The encoding of a run of positions, made by the compiler.
///
/// shape   [positions, d_model]
/// error   correctly rounded; sin 0, the padding's row and the last channel of an odd d_model are +0
/// throws  does not compile where `validate(sinusoidal)` or `validate(position_range)` would throw
template <floating_format Float, sinusoidal Config, position_range Positions>
inline constexpr auto sinusoidal_table = detail::gather_sinusoids<Float, Config, Positions>(
    std::make_index_sequence<detail::checked_sinusoid_count<Config>()>{});

}  // namespace ropewalk
