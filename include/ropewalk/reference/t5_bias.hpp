#pragma once
// T5's buckets in integers of any size: the inequality of the definition, tested bucket after bucket. Raffel
// et al. 2020 (arXiv:1910.10683).

#include <cstdint>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::reference {

namespace detail {

using boost::multiprecision::cpp_int;

/// The lower edges of the K buckets that grow. Distance n reaches growing bucket t if n^K max_exact^t >=
/// max_distance^t max_exact^K.
class t5_edges {
 public:
  explicit t5_edges(const t5_bias& config) : config_(config) {
    validate(config);
    const auto growing = static_cast<unsigned>(buckets_per_direction(config) - exact_buckets(config));
    power_ = growing;
    cpp_int exact_power = 1, edge = pow(cpp_int(exact_buckets(config)), growing);
    for (unsigned t = 0; t < growing; ++t) {
      exact_powers_.push_back(exact_power);
      edges_.push_back(edge);
      exact_power *= exact_buckets(config);
      edge *= config.max_distance;
    }
  }

  /// Bucket of a distance, clamped to the last one. `from` is a bucket that the distance is known to reach.
  int bucket(std::int64_t distance, int from = 0) const {
    const int exact = exact_buckets(config_);
    if (distance < exact) return static_cast<int>(distance);
    const cpp_int power = pow(cpp_int(distance), power_);
    std::size_t t = from > exact ? static_cast<std::size_t>(from - exact) : 0;
    while (t + 1 < edges_.size() && power * exact_powers_[t + 1] >= edges_[t + 1]) ++t;
    return exact + static_cast<int>(t);
  }

 private:
  t5_bias config_;
  unsigned power_ = 0;
  std::vector<cpp_int> exact_powers_;
  std::vector<cpp_int> edges_;
};

}  // namespace detail

/// Bucket of a relative position, key position - query position.
///
/// domain  |relative_position| < 2^63
/// error   none
/// throws  std::invalid_argument naming the field and its value
/// source  `_relative_position_bucket` in Hugging Face transformers
inline int t5_bucket(std::int64_t relative_position, const t5_bias& config) {
  const detail::t5_edges edges(config);
  if (!config.bidirectional) return edges.bucket(relative_position < 0 ? -relative_position : 0);
  const int first = relative_position > 0 ? config.buckets / 2 : 0;
  return first + edges.bucket(relative_position < 0 ? -relative_position : relative_position);
}

/// Buckets of keys at distances 0 .. largest behind a query.
inline std::vector<int> t5_buckets_behind(const t5_bias& config, std::int64_t largest) {
  const detail::t5_edges edges(config);
  std::vector<int> buckets;
  for (std::int64_t distance = 0; distance <= largest; ++distance)
    buckets.push_back(edges.bucket(distance, buckets.empty() ? 0 : buckets.back()));
  return buckets;
}

}  // namespace ropewalk::reference
