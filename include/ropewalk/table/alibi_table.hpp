#pragma once
// ALiBi's slopes and biases, correctly rounded: slopes at compile time, slopes and biases at run time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail {

inline constexpr int slope_limbs = 3;  // enough for all but rare entries, which Ziv's loop decides

// One variable per head: compilers limit the steps of constant evaluation per variable, so no flag is needed.
template <alibi Config, int Head>
inline constexpr enclosure<slope_limbs> alibi_slope_of = alibi_slope<slope_limbs>(Head, Config);

/// steps x slope, correctly rounded: from the given enclosure of the slope if it decides, otherwise by Ziv's
/// loop.
template <floating_format Float>
constexpr bits_of<Float> round_alibi(const enclosure<slope_limbs>& slope, std::int64_t steps, int head,
                                     const alibi& config) {
  if (const auto result = round<Float>(slope * enclosure<slope_limbs>::of(steps)); result.decided)
    return result.bits;
  return round_with_enough_limbs<Float>(
      "alibi", [&]<int N>() { return alibi_slope<N>(head, config) * enclosure<N>::of(steps); });
}

template <floating_format Float, alibi Config, std::size_t... Head>
constexpr std::array<Float, sizeof...(Head)> gather_alibi_slopes(std::index_sequence<Head...>) {
  return {from_bits<Float>(round_alibi<Float>(alibi_slope_of<Config, static_cast<int>(Head)>, 1,
                                              static_cast<int>(Head), Config))...};
}

template <alibi Config>
constexpr std::size_t checked_head_count() {
  validate(Config);
  return static_cast<std::size_t>(Config.heads);
}

}  // namespace detail

/// All slopes, computed at compile time.
///
/// shape   [heads]
/// units   score per position
/// error   correctly rounded
/// throws  does not compile if `validate(alibi)` would throw
template <floating_format Float, alibi Config>
inline constexpr auto alibi_slope_table = detail::gather_alibi_slopes<Float, Config>(
    std::make_index_sequence<detail::checked_head_count<Config>()>{});

/// Bits of all slopes, computed at run time.
///
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr std::vector<bits_of<Float>> alibi_slopes(const alibi& config) {
  validate(config);
  std::vector<bits_of<Float>> bits;
  for (int head = 0; head < config.heads; ++head)
    bits.push_back(
        detail::round_alibi<Float>(alibi_slope<detail::slope_limbs>(head, config), 1, head, config));
  return bits;
}

/// Biases at run time, at any distance between two positions.
class alibi_biases {
 public:
  /// throws  std::invalid_argument naming the field and its value
  constexpr explicit alibi_biases(const alibi& config) : config_(config) {
    validate(config);
    for (int head = 0; head < config.heads; ++head)
      slopes_.push_back(alibi_slope<detail::slope_limbs>(head, config));
  }

  /// Number of heads and form of the bias.
  constexpr const alibi& config() const { return config_; }

  /// Bits of the bias of one head at one distance, alibi_origin - key position; +0 at distance 0.
  ///
  /// units   score, before the softmax
  /// domain  0 <= head < heads, |distance| < 2^63
  /// error   correctly rounded; infinity if the bias overflows the format
  /// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
  template <floating_format Float>
  constexpr bits_of<Float> entry(int head, std::int64_t distance) const {
    detail::validate_head(head, config_);
    return detail::round_alibi<Float>(slopes_[static_cast<std::size_t>(head)],
                                      alibi_steps(distance, config_.form), head, config_);
  }

  /// Bits of the bias of one head for a query and a key among `keys` keys.
  ///
  /// units, domain, error, throws  as the overload above
  template <floating_format Float>
  constexpr bits_of<Float> entry(int head, std::int64_t query, std::int64_t key, std::int64_t keys) const {
    return entry<Float>(head, alibi_origin(query, keys, config_.form) - key);
  }

  /// All biases of `queries` queries and `keys` keys; the last query is at the position of the last key. In
  /// the forms key and last_key, all queries have the same biases.
  ///
  /// shape   [heads, queries, keys]
  /// domain  1 <= queries <= keys
  /// throws  as entry
  template <floating_format Float>
  constexpr std::vector<bits_of<Float>> entries(int queries, int keys) const {
    require(queries >= 1, "queries", queries, "a number above 0");
    require(keys >= queries, "keys", keys, "at least queries: each query is at the position of a key");
    std::vector<bits_of<Float>> bits;
    bits.reserve(static_cast<std::size_t>(config_.heads) * static_cast<std::size_t>(queries) *
                 static_cast<std::size_t>(keys));
    std::vector<bits_of<Float>> along;                 // of one head, from key 0 of the last query
    const int step = is_by_key(config_.form) ? 0 : 1;  // offset in `along` per query
    const std::int64_t first = alibi_origin(keys - 1, keys, config_.form), ahead = step * (queries - 1);
    for (int head = 0; head < config_.heads; ++head) {
      along.clear();
      for (std::int64_t i = 0; i < ahead + keys; ++i) along.push_back(entry<Float>(head, first - i));
      for (int query = 0; query < queries; ++query)
        for (int key = 0; key < keys; ++key)
          bits.push_back(along[static_cast<std::size_t>(ahead - step * query + key)]);
    }
    return bits;
  }

 private:
  alibi config_;
  std::vector<enclosure<detail::slope_limbs>> slopes_;
};

/// The bias of a sequence's scores with itself. The default, -slope |query - key|, equals the causal form
/// under a causal mask.
///
/// shape   [num_heads, seq_len, seq_len], row-major: keys are adjacent
/// units   score, before the softmax
/// error   correctly rounded to binary32
/// throws  std::invalid_argument naming the field and its value
constexpr std::vector<float> alibi_bias(int seq_len, int num_heads, alibi_form form = alibi_form::symmetric) {
  require(seq_len >= 1, "seq_len", seq_len, "a number above 0");
  const auto bits = alibi_biases(alibi{.heads = num_heads, .form = form}).entries<float>(seq_len, seq_len);
  std::vector<float> bias;
  bias.reserve(bits.size());
  for (const std::uint32_t entry : bits) bias.push_back(from_bits<float>(entry));
  return bias;
}

}  // namespace ropewalk
