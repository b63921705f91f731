#pragma once
// The sinusoidal encoding as a constexpr variable template: every convention and format, correctly rounded.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/table/sinusoidal_entry.hpp"

namespace ropewalk {

namespace detail {

/// The rows of a range of positions; the angle of a row is the row times the pair's frequency.
constexpr position_range rows_of(position_range positions, const sinusoidal& config) {
  return {positions.begin + row_offset(config), positions.end + row_offset(config)};
}

/// Cosines and sines of one pair at consecutive positions: store(index, cos_sin_bits). The caller handles the
/// padding's position.
template <floating_format Float, int N, class Store>
constexpr void walk_sinusoid(int pair, position_range positions, const enclosure<N>& turns,
                             const sinusoidal& config, Store store) {
  walk_positions<Float>(rows_of(positions, config), turns, fixed_factor{}, store, [&](std::int64_t row) {
    return round_sinusoid<Float>(pair, static_cast<double>(row - row_offset(config)), config);
  });
}

template <sinusoidal Config>
inline constexpr auto sinusoidal_shared = share<table_limbs>(Config);

template <floating_format Float, sinusoidal Config, position_range Positions, int Pair>
inline constexpr auto sinusoid_column = [] {
  constexpr auto turns = sinusoidal_turns<table_limbs>(Pair, Config, sinusoidal_shared<Config>);
  pair_column<Float, checked_size<Positions>()> column;
  walk_sinusoid<Float>(Pair, Positions, turns, Config, [&](std::int64_t n, const cos_sin_bits<Float>& entry) {
    column.cos[n] = from_bits<Float>(entry.cos);
    column.sin[n] = from_bits<Float>(entry.sin);
  });
  return column;
}();

template <sinusoidal Config>
constexpr std::size_t checked_sinusoid_count() {
  validate(Config);
  return static_cast<std::size_t>(pair_count(Config));
}

/// The sinusoidal encoding, two columns per pair; the last channel of an odd d_model has no column.
template <floating_format Float, sinusoidal Config, position_range Positions>
struct sinusoidal_table_source {
  using value = Float;
  static constexpr std::size_t pairs = checked_sinusoid_count<Config>(),
                               width = static_cast<std::size_t>(Config.d_model);
  static constexpr bool is_zero(std::size_t row) {
    return is_padding(static_cast<double>(Positions.begin) + static_cast<double>(row), Config);
  }

  template <std::int64_t Block>
  static constexpr auto columns = []<std::size_t... Pair>(std::index_sequence<Pair...>) {
    constexpr position_range part = block_positions<Positions, Block>;
    constexpr const pair_column<Float, checked_size<part>()>* of_pair[] = {
        &sinusoid_column<Float, Config, part, static_cast<int>(Pair)>...};
    std::array<const Float*, width> r{};
    r.back() = zeros<Float>;  // of an odd width; else overwritten
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const sinusoidal_channels at = channels_of(static_cast<int>(pair), Config);
      r[static_cast<std::size_t>(at.sine)] = of_pair[pair]->sin;
      r[static_cast<std::size_t>(at.cosine)] = of_pair[pair]->cos;
    }
    return r;
  }
  (std::make_index_sequence<pairs>{});
};

}  // namespace detail

/// The encoding of a range of positions, computed at compile time.
///
/// shape   [positions, d_model]
/// error   correctly rounded; sin 0, the padding's row and the last channel of an odd d_model are +0
/// throws  does not compile if `validate(sinusoidal)` or `validate(position_range)` would throw
template <floating_format Float, sinusoidal Config, position_range Positions>
inline constexpr auto sinusoidal_table =
    detail::gathered_table<detail::sinusoidal_table_source<Float, Config, Positions>, Positions>();

}  // namespace ropewalk
