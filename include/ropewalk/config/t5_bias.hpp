#pragma once
// Configuration of T5's relative position bias: the buckets of distances. Raffel et al. 2020
// (arXiv:1910.10683). Each bucket has one learned number per head, which is added to scores.

#include <cstdint>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Number of buckets, the distance from which all distances share the last bucket, and whether keys ahead of
/// a query have their own buckets. Structural. Names as in T5's configuration
/// (relative_attention_num_buckets, relative_attention_max_distance).
struct t5_bias {
  int buckets = 32;
  int max_distance = 128;
  bool bidirectional = true;
};

inline constexpr int largest_bucket_count = 1024;

/// Buckets per direction: half of all, rounded down, or all of them if causal, where keys ahead share bucket
/// 0.
constexpr int buckets_per_direction(const t5_bias& config) {
  return config.bidirectional ? config.buckets / 2 : config.buckets;
}

/// Number of distances, from 0 on, with their own bucket; later buckets are equally wide in ln(distance).
constexpr int exact_buckets(const t5_bias& config) { return buckets_per_direction(config) / 2; }

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const t5_bias& config) {
  require(config.buckets <= largest_bucket_count && exact_buckets(config) >= 1, "buckets", config.buckets,
          config.bidirectional ? "a number from 4 to 1024" : "a number from 2 to 1024");
  require(config.max_distance > exact_buckets(config), "max_distance", config.max_distance,
          "a number above the number of distances with a bucket of their own: buckets / 4, or buckets / 2 "
          "where causal");
}

/// Number of learned parameters, independent of the sequence length.
constexpr std::int64_t learned_parameters(const t5_bias& config, int heads) {
  return std::int64_t{config.buckets} * heads;
}

}  // namespace ropewalk
