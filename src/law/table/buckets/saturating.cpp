#include "ropewalk/law/table/buckets/saturating.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

measurement measure_saturating(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return distance < config.max_distance || bucket == buckets_per_direction(config) - 1;
  });
}

}  // namespace detail::t5_law

measurement bucket_laws::judge_saturating(const checked_buckets& of, const whole_table&) {
  return detail::t5_law::measure_saturating(of.buckets, of.config);
}

}  // namespace ropewalk
