#pragma once
// Cosines and sines of a whole sequence in one call.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// Rows of cosines and sines: the numbers that apply_rope rotates by.
struct cos_sin_rows {
  std::vector<float> cos;
  std::vector<float> sin;
};

namespace detail {

/// Rows of positions 0 .. seq_len - 1 by walks along blocks of positions, as the tables do.
template <std::same_as<rope> Config>
constexpr cos_sin_rows walked_rows(std::int64_t seq_len, const Config& config) {
  validate(config);
  cos_sin_rows to;
  const auto shared = share<table_limbs>(config);
  const auto factor = rope_attention_factor<table_limbs>(config);
  const auto pairs = static_cast<std::size_t>(pair_count(config));
  to.cos.assign(static_cast<std::size_t>(seq_len) * pairs, 0.0F);
  to.sin.assign(to.cos.size(), 0.0F);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto turns = rope_turns<table_limbs>(static_cast<int>(pair), config, shared);
    for (std::int64_t begin = 0; begin < seq_len; begin += longest_column)
      walk_positions<float>(
          position_range{begin, std::min(begin + longest_column, seq_len)}, turns, to_fixed_factor(factor),
          [&](std::int64_t n, const cos_sin_bits<float>& entry) {
            const std::size_t at = static_cast<std::size_t>(begin + n) * pairs + pair;
            to.cos[at] = from_bits<float>(entry.cos);
            to.sin[at] = from_bits<float>(entry.sin);
          },
          [&](std::int64_t position) {
            return round_cos_sin<float>(turns, factor, static_cast<int>(pair), position, config);
          });
  }
  return to;
}

/// Rows of positions 0 .. seq_len - 1 from the compiled library, if it is linked.
template <std::same_as<rope> Config>
cos_sin_rows rows_at_run_time(std::int64_t seq_len, const Config& config) {
  const rope_rows rows(config);
  std::vector<std::uint32_t> cos(static_cast<std::size_t>(seq_len) * static_cast<std::size_t>(rows.pairs())),
      sin(cos);
  rows.rows<float>({0, seq_len}, false, cos.data(), sin.data());
  cos_sin_rows result;
  std::transform(cos.begin(), cos.end(), std::back_inserter(result.cos), from_bits<float>);
  std::transform(sin.begin(), sin.end(), std::back_inserter(result.sin), from_bits<float>);
  return result;
}

}  // namespace detail

/// Cosines and sines of positions 0 .. seq_len - 1, attention factor included. In a constant expression,
/// compilers' limits allow a few hundred entries; `cos_table` and `sin_table` have no such limit.
///
/// shape   cos, sin [seq_len, rotary_dim / 2], row-major
/// domain  1 <= seq_len <= 2147483648
/// error   correctly rounded to binary32
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
/// source  Su et al. 2021, sec. 3.2
template <std::same_as<rope> Config = rope>
constexpr cos_sin_rows rotary_embedding(std::int64_t seq_len, const Config& config) {
  require(seq_len >= 1 && seq_len <= largest_position + 1, "seq_len", static_cast<double>(seq_len),
          "a whole number from 1 to 2147483648");
  if (std::is_constant_evaluated()) return detail::walked_rows(seq_len, config);
  return detail::rows_at_run_time(seq_len, config);
}

}  // namespace ropewalk
