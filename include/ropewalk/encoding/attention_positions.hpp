#pragma once
// Attention with each encoding: sinusoids are added to tokens, rotary embeddings rotate queries and keys, and
// linear biases are added to scores. Values are unchanged.

#include <span>

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/encoding/attention.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"

namespace ropewalk {

namespace detail {

constexpr void validate_positions(std::span<const double> positions, int rows) {
  require(positions.size() == static_cast<std::size_t>(rows), "the number of positions",
          static_cast<double>(positions.size()), "one for each row");
}

}  // namespace detail

/// Rows rotated by their positions; channels from rotary_dim on pass through.
///
/// domain  rotary_dim channels or more, any finite positions
/// error   carried by the enclosures
/// throws  std::invalid_argument naming the field and its value
/// source  Su et al. 2021, equation 34
template <int N>
constexpr matrix<enclosure<N>> rotated_rows(const matrix<enclosure<N>>& rows,
                                            std::span<const double> positions, const rope& config,
                                            pairing layout = pairing::interleaved,
                                            rotation_kind kind = rotation_kind::forward) {
  validate(config);
  detail::validate_positions(positions, rows.rows());
  require(rows.columns() >= config.rotary_dim, "channels", rows.columns(), "rotary_dim or more");
  matrix<enclosure<N>> turned = rows;
  for (int row = 0; row < rows.rows(); ++row) {
    const rotation_matrix<N> rotation(config, positions[static_cast<std::size_t>(row)], kind);
    for (int pair = 0; pair < pair_count(config); ++pair) {
      const channel_pair at = channels_of(pair, config.rotary_dim, layout);
      const enclosure<N> x = rows.at(row, at.first), y = rows.at(row, at.second);
      const pair_rotation<N> result = rotation.block(pair);
      turned.at(row, at.first) = x * result.cos - y * result.sin;
      turned.at(row, at.second) = x * result.sin + y * result.cos;
    }
  }
  return turned;
}

/// Rows with the sinusoids of their positions added.
///
/// domain  d_model channels, any finite positions
/// error   carried by the enclosures
/// throws  std::invalid_argument naming the field and its value
/// source  Vaswani et al. 2017, sec. 3.5
template <int N>
constexpr matrix<enclosure<N>> with_sinusoids(const matrix<enclosure<N>>& rows,
                                              std::span<const double> positions, const sinusoidal& config) {
  validate(config);
  detail::validate_positions(positions, rows.rows());
  require(rows.columns() == config.d_model, "channels", rows.columns(), "d_model");
  return matrix_of(rows.rows(), rows.columns(), [&](int row, int channel) {
    return rows.at(row, channel) +
           sinusoidal_entry<N>(positions[static_cast<std::size_t>(row)], channel, config);
  });
}

/// Linear biases of one head, to be added to the scores of queries and keys at these positions, which may be
/// fractional. The form last_key counts from the last of `keys`.
///
/// shape   [queries, keys]
/// domain  0 <= head < heads, finite positions
/// error   carried by the enclosures
/// throws  std::invalid_argument naming the field and its value
/// source  Press et al. 2022, sec. 3
template <int N>
constexpr matrix<enclosure<N>> linear_biases(std::span<const double> queries, std::span<const double> keys,
                                             int head, const alibi& config) {
  const enclosure<N> slope = alibi_slope<N>(head, config);
  const auto at = [](std::span<const double> positions, int i) {
    const double position = positions[static_cast<std::size_t>(i)];
    require(is_finite<double>(to_bits(position)), "position", position, "a finite number");
    return enclosure<N>::of(position);
  };
  return matrix_of(static_cast<int>(queries.size()), static_cast<int>(keys.size()), [&](int i, int j) {
    const enclosure<N> origin = config.form == alibi_form::last_key
                                    ? at(keys, static_cast<int>(keys.size()) - 1)
                                : config.form == alibi_form::key ? enclosure<N>::of(0)
                                                                 : at(queries, i);
    const enclosure<N> distance = origin - at(keys, j);
    return -(slope * (config.form == alibi_form::symmetric ? absolute(distance) : distance));
  });
}

}  // namespace ropewalk
