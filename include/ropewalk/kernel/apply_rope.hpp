#pragma once
// The canonical rotation of a few vectors in one call, for examples and tests. Calls rotate_pair for each
// pair.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

namespace detail {

/// The position as an argument of rope_rows::row, checked if it is a binary64.
constexpr std::int64_t row_position(std::int32_t position) { return position; }
constexpr double row_position(double position) {
  constexpr double end = 0x1p31;
  require(position > -end && position < end, "position", position,
          "a number between -2147483648 and 2147483648");
  return position;
}

/// The rows of all positions, concatenated. For constant evaluation.
template <class Position, std::same_as<rope> Config>
constexpr std::vector<cos_sin_bits<float>> evaluated_rows(std::span<const Position> positions,
                                                          const Config& config) {
  const auto shared = share<table_limbs>(config);
  const auto factor = rope_attention_factor<table_limbs>(config);
  std::vector<cos_sin_bits<float>> result;
  for (const Position position : positions)
    for (int pair = 0; pair < pair_count(config); ++pair)
      result.push_back(round_cos_sin<float>(rope_turns<table_limbs>(pair, config, shared), factor, pair,
                                            row_position(position), config));
  return result;
}

/// The same rows, from the compiled library.
template <class Position, std::same_as<rope> Config>
std::vector<cos_sin_bits<float>> computed_rows(std::span<const Position> positions, const Config& config) {
  const rope_rows rows(config);
  std::vector<std::uint32_t> cos(static_cast<std::size_t>(rows.pairs())), sin(cos);
  std::vector<cos_sin_bits<float>> result;
  for (const Position position : positions) {
    rows.row<float>(row_position(position), false, cos.data(), sin.data());
    for (std::size_t pair = 0; pair < cos.size(); ++pair) result.push_back({cos[pair], sin[pair]});
  }
  return result;
}

template <class Position, std::same_as<rope> Config>
constexpr std::vector<cos_sin_bits<float>> rows_at(std::span<const Position> positions,
                                                   const Config& config) {
  if (std::is_constant_evaluated()) return evaluated_rows(positions, config);
  return computed_rows(positions, config);
}

template <class Position, std::same_as<rope> Config>
constexpr std::vector<float> rotated_heads(std::span<const float> x, std::span<const Position> positions,
                                           const Config& config, const head_layout& layout) {
  validate(layout, config);
  const auto width = static_cast<std::size_t>(layout.head_dim);
  require(x.size() == positions.size() * width, "the size of x", static_cast<double>(x.size()),
          "positions x head_dim numbers");
  const std::vector<cos_sin_bits<float>> rows = rows_at(positions, config);
  const auto pairs = static_cast<std::size_t>(pair_count(config));
  std::vector<float> y(x.begin(), x.end());
  for (std::size_t token = 0; token < positions.size(); ++token) {
    const std::size_t start = token * width + static_cast<std::size_t>(layout.rotary_begin);
    const float* from = x.data() + start;
    float* to = y.data() + start;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const channel_pair in = channels_of(static_cast<int>(pair), config.rotary_dim, layout.pairing_in);
      const channel_pair out = channels_of(static_cast<int>(pair), config.rotary_dim, layout.pairing_out);
      const cos_sin_bits<float>& by = rows[token * pairs + pair];
      const bits_pair<float> turned =
          rotate_pair<float>({to_bits(from[in.first]), to_bits(from[in.second])}, {by.cos, by.sin});
      to[out.first] = from_bits<float>(turned.first);
      to[out.second] = from_bits<float>(turned.second);
    }
  }
  return y;
}

}  // namespace detail

/// Rotates each vector by its position; the result has the canonical operation's bits. In a constant
/// expression, compiler limits allow a few dozen pairs.
///
/// shape   x and the result [positions, head_dim], row-major
/// domain  any signed 32-bit positions; channels that do not rotate pass through
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
/// source  Su et al. 2021, sec. 3.2.2, where pairs are interleaved
template <std::same_as<rope> Config = rope>
constexpr std::vector<float> apply_rope(std::span<const float> x, std::span<const std::int32_t> positions,
                                        const Config& config, const head_layout& layout) {
  return detail::rotated_heads(x, positions, config, layout);
}

/// The same for binary64 positions, each taken exactly.
///
/// domain  -2^31 < position < 2^31
template <std::same_as<rope> Config = rope>
constexpr std::vector<float> apply_rope(std::span<const float> x, std::span<const double> positions,
                                        const Config& config, const head_layout& layout) {
  return detail::rotated_heads(x, positions, config, layout);
}

/// The same with every channel rotated, interleaved pairs and base 10000.
constexpr std::vector<float> apply_rope(std::span<const float> x, std::span<const std::int32_t> positions,
                                        std::integral auto head_dim) {
  require(std::in_range<int>(head_dim), "head_dim", static_cast<double>(head_dim), "a number of 32 bits");
  return apply_rope(x, positions, rope{.rotary_dim = static_cast<int>(head_dim)},
                    head_layout{.head_dim = static_cast<int>(head_dim),
                                .pairing_in = pairing::interleaved,
                                .pairing_out = pairing::interleaved});
}

}  // namespace ropewalk
