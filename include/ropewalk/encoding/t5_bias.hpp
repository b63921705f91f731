#pragma once
// T5's relative position bias: the bucket of a distance, computed in integer arithmetic, and the look-up of
// the learned bias. Raffel et al. 2020 (arXiv:1910.10683). The definition takes the floor of a quotient of
// logarithms, which is an integer at some distances (16, 32 and 64 with the defaults). There the floor of a
// quotient computed in floating point can be wrong.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ropewalk/config/t5_bias.hpp"
#include "ropewalk/numeric/limbs.hpp"

namespace ropewalk {

namespace detail {

/// a x^exponent. domain  x < 2^32; the product fits
template <int N>
constexpr limbs<N> times_power(limbs<N> a, std::uint64_t x, int exponent) {
  for (; exponent >= 2; exponent -= 2) multiply_by(a, x * x);
  if (exponent == 1) multiply_by(a, x);
  return a;
}

template <int N>
constexpr bool is_power_at_least(std::uint64_t distance, int step, int steps, std::uint64_t exact,
                                 std::uint64_t last) {
  const limbs<N> product = limbs_of<N>(1);
  return compare(times_power(product, distance, steps),
                 times_power(times_power(product, last, step), exact, steps - step)) >= 0;
}

/// Limb counts for the powers; the first that holds them is used.
inline constexpr int power_limbs[] = {2, 8, 32, 256};
static_assert(largest_bucket_count / 2 * 31 <= limb_bits * power_limbs[3]);

}  // namespace detail

/// Whether a distance reaches bucket exact + step.
///
/// With exact = exact_buckets and K = buckets_per_direction - exact, the condition is
/// K ln(distance / exact) / ln(max_distance / exact) >= step, which is equivalent to
/// distance^K >= max_distance^step exact^(K - step).
///
/// domain  0 <= step <= K, distance <= max_distance
/// error   none
/// throws  std::invalid_argument naming the field and its value
constexpr bool reaches_t5_step(std::int64_t distance, int step, const t5_bias& config) {
  validate(config);
  const int exact = exact_buckets(config), steps = buckets_per_direction(config) - exact;
  require(step >= 0 && step <= steps, "step", step,
          "a number from 0 to buckets per direction - exact buckets");
  require(distance >= 0 && distance <= config.max_distance, "distance", static_cast<double>(distance),
          "a number from 0 to max_distance");
  const auto decide = [&]<int N>() {
    return detail::is_power_at_least<N>(static_cast<std::uint64_t>(distance), step, steps,
                                        static_cast<std::uint64_t>(exact),
                                        static_cast<std::uint64_t>(config.max_distance));
  };
  const int bits = steps * static_cast<int>(std::bit_width(static_cast<unsigned>(config.max_distance)));
  if (bits <= limb_bits * detail::power_limbs[0]) return decide.template operator()<detail::power_limbs[0]>();
  if (bits <= limb_bits * detail::power_limbs[1]) return decide.template operator()<detail::power_limbs[1]>();
  if (bits <= limb_bits * detail::power_limbs[2]) return decide.template operator()<detail::power_limbs[2]>();
  return decide.template operator()<detail::power_limbs[3]>();
}

/// Bucket of a relative position, key position - query position.
///
/// units   index of a row of the learned table
/// domain  any relative position; distances from max_distance on share the last bucket of their direction
/// error   none: a distance on the edge of two buckets belongs to the one that begins there
/// throws  std::invalid_argument naming the field and its value
/// source  Raffel et al. 2020, sec. 2.1; `_relative_position_bucket` in Hugging Face transformers
constexpr int t5_bucket(std::int64_t relative_position, const t5_bias& config) {
  validate(config);
  const bool is_ahead = relative_position > 0;
  if (is_ahead && !config.bidirectional) return 0;
  const int all = buckets_per_direction(config), exact = exact_buckets(config);
  const int first = is_ahead ? all : 0;
  if (relative_position >= config.max_distance || relative_position <= -config.max_distance)
    return first + all - 1;
  const std::int64_t distance = is_ahead ? relative_position : -relative_position;
  if (distance < exact) return first + static_cast<int>(distance);
  int reached = 0, not_reached = all - exact;  // step K is not reached: distance < max_distance
  while (not_reached - reached > 1) {
    const int middle = (reached + not_reached) / 2;
    (reaches_t5_step(distance, middle, config) ? reached : not_reached) = middle;
  }
  return first + exact + reached;
}

/// A non-owning view of a learned table, indexed by positions. A row that the table lacks is refused.
///
/// shape   [buckets, heads], the head fastest, as `relative_attention_bias.weight` is stored
template <class Number>
class t5_bias_view {
 public:
  /// throws  std::invalid_argument naming the field and its value, also where the table has the wrong size
  constexpr t5_bias_view(const t5_bias& config, int heads, std::span<const Number> weights)
      : config_(config), heads_(heads), weights_(weights) {
    validate(config);
    require(heads >= 1, "heads", heads, "a number above 0");
    require(weights.size() == static_cast<std::size_t>(learned_parameters(config, heads)), "the table's size",
            static_cast<double>(weights.size()), "buckets x heads numbers");
  }

  /// Number of heads, the columns of the table.
  constexpr int heads() const { return heads_; }
  /// Configuration of the buckets, which are the rows of the table.
  constexpr const t5_bias& config() const { return config_; }

  /// Bias to be added to the score of a query and a key.
  ///
  /// throws  std::invalid_argument for a head that the table lacks
  constexpr const Number& at(int head, std::int64_t query, std::int64_t key) const {
    return of_bucket(head, t5_bucket(key - query, config_));
  }

  /// Bias of one head and one bucket.
  ///
  /// throws  std::invalid_argument for a head or a bucket that the table lacks
  constexpr const Number& of_bucket(int head, int bucket) const {
    require(head >= 0 && head < heads_, "head", head, "a number from 0 to heads - 1");
    require(bucket >= 0 && bucket < config_.buckets, "bucket", bucket, "a number from 0 to buckets - 1");
    return weights_[static_cast<std::size_t>(bucket) * static_cast<std::size_t>(heads_) +
                    static_cast<std::size_t>(head)];
  }

 private:
  t5_bias config_;
  int heads_;
  std::span<const Number> weights_;
};

}  // namespace ropewalk
