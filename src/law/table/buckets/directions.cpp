#include "ropewalk/law/table/buckets/directions.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

measurement measure_directions(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const bool is_ahead = config.bidirectional && distance > 0;
    const int expected = is_ahead ? bucket + buckets_per_direction(config) : 0;
    return buckets(distance, config) == expected && (distance == 0 || bucket != 0);
  });
}

}  // namespace detail::t5_law

measurement bucket_laws::judge_directions(const checked_buckets& of, const whole_table&) {
  return detail::t5_law::measure_directions(of.buckets, of.config);
}

}  // namespace ropewalk
