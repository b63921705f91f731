// T5: the bucket of every distance, by the definition. All in integer arithmetic.

#include "ropewalk/encoding/t5_bias.hpp"

#include <cstdint>

namespace t5_bias_proof {

using namespace ropewalk;

constexpr t5_bias encoder{}, decoder{.bidirectional = false};  // of T5, mT5, Flan-T5, UL2
constexpr t5_bias mpnet{.buckets = 32, .max_distance = 128},
    small{.buckets = 9, .max_distance = 40, .bidirectional = false};
constexpr t5_bias every_one[] = {encoder,
                                 decoder,
                                 mpnet,
                                 small,
                                 {.buckets = 4, .max_distance = 2},
                                 {.buckets = 2, .max_distance = 200, .bidirectional = false}};

consteval bool bucket_never_decreases_with_distance() {
  for (const t5_bias& config : every_one)
    for (int distance = 1; distance <= config.max_distance + 1; ++distance)
      if (t5_bucket(-distance, config) < t5_bucket(1 - distance, config)) return false;
  return true;
}
static_assert(bucket_never_decreases_with_distance());

/// Distance d, K growing buckets: d has bucket exact + t if and only if
/// (max_distance / exact)^t <= (d / exact)^K < (max_distance / exact)^(t + 1).
consteval bool every_bucket_begins_where_the_logarithm_says() {
  for (const t5_bias& config : every_one) {
    const int exact = exact_buckets(config), growing = buckets_per_direction(config) - exact;
    for (int distance = exact; distance < config.max_distance; ++distance) {
      const int step = t5_bucket(-distance, config) - exact;
      if (!reaches_t5_step(distance, step, config)) return false;
      if (step + 1 <= growing && reaches_t5_step(distance, step + 1, config)) return false;
    }
  }
  return true;
}
static_assert(every_bucket_begins_where_the_logarithm_says());

consteval bool bucket_saturates_at_max_distance() {
  for (const t5_bias& config : every_one) {
    const int last = buckets_per_direction(config) - 1;
    for (const std::int64_t distance :
         {std::int64_t{config.max_distance} - 1, std::int64_t{config.max_distance},
          std::int64_t{config.max_distance} + 1, std::int64_t{1} << 31, INT64_MAX})
      if (t5_bucket(-distance, config) != last) return false;
  }
  return t5_bucket(INT64_MIN, encoder) == 15 && t5_bucket(INT64_MIN, decoder) == 31;
}
static_assert(bucket_saturates_at_max_distance());

/// The last bucket begins below max_distance: at 91 of 128 for the encoder, at 113 for the decoder.
consteval bool last_bucket_of_t5_begins_at_91_and_at_113() {
  return t5_bucket(-90, encoder) == 14 && t5_bucket(-91, encoder) == 15 && t5_bucket(-112, decoder) == 30 &&
         t5_bucket(-113, decoder) == 31;
}
static_assert(last_bucket_of_t5_begins_at_91_and_at_113());

consteval bool keys_ahead_have_the_other_half_of_the_buckets_or_none() {
  for (const t5_bias& config : every_one)
    for (int distance = 0; distance <= config.max_distance + 1; ++distance) {
      const int behind = t5_bucket(-distance, config), ahead = t5_bucket(distance, config);
      const int expected =
          !config.bidirectional || distance == 0 ? 0 : behind + buckets_per_direction(config);
      if (ahead != expected) return false;
    }
  return true;
}
static_assert(keys_ahead_have_the_other_half_of_the_buckets_or_none());

/// The first bucket of keys ahead would hold distance 0, which counts as behind: that row of the table is
/// never used.
consteval bool first_bucket_ahead_is_never_used() {
  for (int relative = -200; relative <= 200; ++relative)
    if (t5_bucket(relative, encoder) == buckets_per_direction(encoder)) return false;
  return t5_bucket(1, encoder) == buckets_per_direction(encoder) + 1;
}
static_assert(first_bucket_ahead_is_never_used());

/// A distance has its own bucket strictly below buckets / 4 (causal: buckets / 2): 8, 9, 10 and 11 share
/// bucket 8.
consteval bool distances_have_their_own_bucket_strictly_below_8() {
  for (int distance = 0; distance < 8; ++distance)
    if (t5_bucket(-distance, encoder) != distance || t5_bucket(-distance - 1, encoder) == distance)
      return false;
  for (int distance = 8; distance < 12; ++distance)
    if (t5_bucket(-distance, encoder) != 8) return false;
  return t5_bucket(-12, encoder) == 9;
}
static_assert(distances_have_their_own_bucket_strictly_below_8());

/// The decoder of the same model has 16 such distances; 16, 17 and 18 are the first to share a bucket.
consteval bool distances_of_the_decoder_have_their_own_bucket_below_16() {
  for (int distance = 0; distance < 16; ++distance)
    if (t5_bucket(-distance, decoder) != distance) return false;
  return t5_bucket(-16, decoder) == 16 && t5_bucket(-18, decoder) == 16 && t5_bucket(-19, decoder) == 17;
}
static_assert(distances_of_the_decoder_have_their_own_bucket_below_16());

constexpr std::int64_t whole_power(std::int64_t x, int exponent) {
  return exponent == 0 ? 1 : x * whole_power(x, exponent - 1);
}

/// (16/8)^8 = (128/8)^2, (32/8)^8 = (128/8)^4, (64/8)^8 = (128/8)^6; (16/4)^5 = (128/4)^2; (40/16)^16 =
/// (100/16)^8: the quotient of logarithms is an integer there, and the distance belongs to the bucket that it
/// begins.
consteval bool ties_belong_to_the_bucket_that_they_begin() {
  for (const int twos : {1, 2, 3})
    if (whole_power(1 << twos, 8) != whole_power(16, 2 * twos)) return false;
  if (whole_power(4, 5) != whole_power(32, 2)) return false;
  if (whole_power(5, 16) != whole_power(25, 8)) return false;  // (5/2)^16 = (25/4)^8, times 2^16
  const t5_bias of_9{.buckets = 9, .max_distance = 128, .bidirectional = false};
  const t5_bias of_32{.buckets = 32, .max_distance = 100, .bidirectional = false};
  return t5_bucket(-16, encoder) == 10 && t5_bucket(-15, encoder) == 9 && t5_bucket(-32, encoder) == 12 &&
         t5_bucket(-31, encoder) == 11 && t5_bucket(-64, encoder) == 14 && t5_bucket(-63, encoder) == 13 &&
         t5_bucket(-16, of_9) == 6 && t5_bucket(-15, of_9) == 5 && t5_bucket(-40, of_32) == 24 &&
         t5_bucket(-39, of_32) == 23;
}
static_assert(ties_belong_to_the_bucket_that_they_begin());

}  // namespace t5_bias_proof
