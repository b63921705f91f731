#pragma once
// T5's buckets of a range of relative positions, and the addition of a learned table to scores.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

namespace detail {

template <t5_bias Config, std::int64_t RelativePosition>
inline constexpr std::int32_t t5_bucket_of = t5_bucket(RelativePosition, Config);

template <t5_bias Config, int MaxRelative, std::size_t... Index>
constexpr std::array<std::int32_t, sizeof...(Index)> gather_t5_buckets(std::index_sequence<Index...>) {
  return {t5_bucket_of<Config, static_cast<std::int64_t>(Index) - MaxRelative>...};
}

}  // namespace detail

/// Buckets of the relative positions (key - query) -MaxRelative .. MaxRelative, computed at compile time.
///
/// shape   int32 [2 MaxRelative + 1]
/// error   none
/// throws  does not compile if `validate(t5_bias)` would throw
template <t5_bias Config, int MaxRelative>
inline constexpr auto t5_bucket_table = detail::gather_t5_buckets<Config, MaxRelative>(
    std::make_index_sequence<2 * static_cast<std::size_t>(MaxRelative) + 1>{});

/// Buckets of the relative positions, computed at run time.
///
/// throws  std::invalid_argument naming the field and its value
inline std::vector<std::int32_t> t5_buckets(const t5_bias& config, int max_relative) {
  validate(config);
  require(max_relative >= 0, "max_relative", max_relative, "a number from 0 up");
  std::vector<std::int32_t> buckets;
  buckets.reserve(2 * static_cast<std::size_t>(max_relative) + 1);
  for (std::int64_t relative = -std::int64_t{max_relative}; relative <= max_relative; ++relative)
    buckets.push_back(t5_bucket(relative, config));
  return buckets;
}

/// Adds a learned bias to the scores of `queries` queries and `keys` keys; the last query is at the position
/// of the last key.
///
/// shape   bits of scores [heads, queries, keys], in place; the table has the same format
/// domain  1 <= queries <= keys
/// error   the sum rounded once, to nearest even; sums of 16-bit formats go through binary32, whose 24 bits
///         make the second rounding harmless: 24 >= 2 x 11 + 2
/// throws  std::invalid_argument naming the field and its value
template <floating_format Float>
constexpr void add_t5_bias(const t5_bias_view<bits_of<Float>>& bias, int queries, int keys,
                           std::span<bits_of<Float>> scores) {
  require(queries >= 1, "queries", queries, "a number above 0");
  require(keys >= queries, "keys", keys, "at least queries: each query is at the position of a key");
  require(scores.size() == static_cast<std::size_t>(bias.heads()) * static_cast<std::size_t>(queries) *
                               static_cast<std::size_t>(keys),
          "the scores' size", static_cast<double>(scores.size()), "heads x queries x keys numbers");
  using wide = std::conditional_t<std::is_same_v<Float, double>, double, float>;
  std::size_t i = 0;
  for (int head = 0; head < bias.heads(); ++head)
    for (int query = keys - queries; query < keys; ++query)
      for (int key = 0; key < keys; ++key, ++i) {
        const auto sum =
            add<wide>(convert<wide, Float>(scores[i]), convert<wide, Float>(bias.at(head, query, key)));
        scores[i] = convert<Float, wide>(sum);
      }
}

}  // namespace ropewalk
