#pragma once
// Laws of T5's buckets, for assignments of distances to buckets from any source. Buckets are integers, so
// equality decides every law.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Gives the bucket of a relative position: the key's position minus the query's.
using bucket_source = std::function<int(std::int64_t relative_position, const t5_bias&)>;

/// An assignment of buckets and its configuration.
struct checked_buckets {
  using case_type = whole_table;
  using needs_type = no_needs;

  bucket_source buckets;
  t5_bias config;
};

namespace detail::t5_law {

/// Cap on the distances judged one by one. Beyond it, powers of two, max_distance and their neighbours are.
inline constexpr std::int64_t last_of_every_distance = 4096;

/// Distances that a law judges, in order, up to 2^31 + 1: every one to max_distance + 2 or the cap, then
/// powers of two and max_distance with their neighbours.
inline std::vector<std::int64_t> judged_distances(const t5_bias& config) {
  const std::int64_t beyond = std::int64_t{config.max_distance} + 2;
  std::vector<std::int64_t> distances;
  for (std::int64_t distance = 0; distance <= std::min(beyond, last_of_every_distance); ++distance)
    distances.push_back(distance);
  for (int k = 2; k <= 31; ++k)
    for (const int nudge : {-1, 0, 1}) distances.push_back((std::int64_t{1} << k) + nudge);
  for (const int nudge : {-1, 0, 1}) distances.push_back(config.max_distance + std::int64_t{nudge});
  std::sort(distances.begin(), distances.end());
  distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
  return distances;
}

/// Judges holds(distance, bucket) for every distance, with the bucket of a key `distance` before the query.
template <class Holds>
measurement judge_buckets(const bucket_source& buckets, const t5_bias& config, Holds holds) {
  validate(config);
  measurement measured;
  for (const std::int64_t distance : judged_distances(config)) {
    const int bucket = buckets(-distance, config);
    place where;
    where.position = static_cast<std::int32_t>(std::min<std::int64_t>(distance, INT32_MAX));
    record(measured, judge_equal(holds(distance, bucket)), where, [&] {
      return evidence{ROPEWALK_F64, 1, {}, {}, {to_bits(static_cast<double>(bucket))}};
    });
  }
  return measured;
}

}  // namespace detail::t5_law

namespace bucket_laws {

measurement judge_within_table(const checked_buckets& buckets, const whole_table&);
measurement judge_own_bucket(const checked_buckets& buckets, const whole_table&);
measurement judge_never_decreasing(const checked_buckets& buckets, const whole_table&);
measurement judge_edges(const checked_buckets& buckets, const whole_table&);
measurement judge_saturating(const checked_buckets& buckets, const whole_table&);
measurement judge_directions(const checked_buckets& buckets, const whole_table&);

inline constexpr law<checked_buckets> within_table{
    .name = "within-table",
    .statement = "every bucket has a row in the table",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, bucket_never_decreases_with_distance; "
        "proofs/encoding/t5_bias_proof.cpp, bucket_saturates_at_max_distance; "
        "proofs/encoding/t5_bias_proof.cpp, keys_ahead_have_the_other_half_of_the_buckets_or_none",
    .catches = "the bucket is not clamped from max_distance on",
    .measure = judge_within_table};

inline constexpr law<checked_buckets> own_bucket{
    .name = "own-bucket",
    .statement = "distances below exact_buckets, and no others, have a bucket each",
    .equality = "equal buckets",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, distances_have_their_own_bucket_strictly_below_8; "
        "proofs/encoding/t5_bias_proof.cpp, distances_of_the_decoder_have_their_own_bucket_below_16",
    .catches = "the last distance with a bucket of its own falls into the next bucket",
    .measure = judge_own_bucket};

inline constexpr law<checked_buckets> never_decreasing{
    .name = "never-decreasing",
    .statement = "the bucket never decreases with the distance",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/t5_bias_proof.cpp, bucket_never_decreases_with_distance",
    .catches = "two buckets are exchanged",
    .measure = judge_never_decreasing};

inline constexpr law<checked_buckets> edges{
    .name = "edges",
    .statement = "each bucket begins where the definition says, ties included",
    .equality = "equal buckets",
    .proof =
        "proofs/encoding/t5_bias_proof.cpp, every_bucket_begins_where_the_logarithm_says; "
        "proofs/encoding/t5_bias_proof.cpp, ties_belong_to_the_bucket_that_they_begin",
    .catches = "logarithms are a few ulps too small, so that ties fall into the bucket before",
    .measure = judge_edges};

inline constexpr law<checked_buckets> saturating{
    .name = "saturating",
    .statement = "from max_distance on all share the last bucket",
    .equality = "equal buckets",
    .proof = "proofs/encoding/t5_bias_proof.cpp, bucket_saturates_at_max_distance",
    .catches = "distances from max_distance on have one bucket more",
    .measure = judge_saturating};

/// Keys ahead have the other half if bidirectional, else bucket 0.
inline constexpr law<checked_buckets> directions{
    .name = "directions",
    .statement = "keys ahead have the other half of the buckets, or bucket 0",
    .equality = "equal buckets",
    .proof = "proofs/encoding/t5_bias_proof.cpp, keys_ahead_have_the_other_half_of_the_buckets_or_none",
    .catches = "keys ahead share the buckets of keys behind",
    .measure = judge_directions};

inline constexpr std::array all{within_table, own_bucket, never_decreasing, edges, saturating, directions};

}  // namespace bucket_laws

}  // namespace ropewalk
