#pragma once
// Learned absolute positions: row p of a table is added to token p. A position without a row is refused.

#include <cstddef>
#include <cstdint>
#include <span>

#include "ropewalk/config/learned.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// A non-owning view of learned weights, as bit patterns, of shape [max_position_embeddings, d_model].
template <floating_format Float>
class learned_table {
 public:
  /// throws  std::invalid_argument naming the field and its value, also where `entries` has the wrong length
  constexpr learned_table(const learned& config, std::span<const bits_of<Float>> entries)
      : config_(config), entries_(entries) {
    validate(config);
    const std::size_t count =
        static_cast<std::size_t>(config.max_position_embeddings) * static_cast<std::size_t>(config.d_model);
    require(entries.size() == count, "the table's length", static_cast<double>(entries.size()),
            "max_position_embeddings x d_model numbers");
  }

  /// Number of rows and channels of the table.
  constexpr const learned& config() const { return config_; }
  /// shape   [max_position_embeddings, d_model]
  constexpr std::span<const bits_of<Float>> entries() const { return entries_; }

  /// The row of one position.
  ///
  /// shape   [d_model]
  /// throws  std::invalid_argument where the position has no row
  constexpr std::span<const bits_of<Float>> row(std::int64_t position) const {
    validate_position(position, config_);
    const auto width = static_cast<std::size_t>(config_.d_model);
    return entries_.subspan(static_cast<std::size_t>(position) * width, width);
  }

  /// One channel of a token plus that of its position's row, not rounded.
  ///
  /// domain  finite numbers
  /// error   carried by the enclosure; none where N limbs hold the sum
  /// throws  std::invalid_argument where the position has no row, or the row lacks the channel
  template <int N>
  constexpr enclosure<N> added_to(bits_of<Float> token, std::int64_t position, int channel) const {
    const auto weights = row(position);
    require(channel >= 0 && channel < config_.d_model, "channel", channel, "a number from 0 to d_model - 1");
    const auto exact = [](bits_of<Float> bits) {
      return enclosure<N>{exact_dyadic_of_bits<N, Float>(bits), {}};
    };
    return exact(token) + exact(weights[static_cast<std::size_t>(channel)]);
  }

 private:
  learned config_;
  std::span<const bits_of<Float>> entries_;
};

}  // namespace ropewalk
