#include "ropewalk/law/table/buckets/within_table.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

measurement measure_within_table(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    const int ahead = buckets(distance, config);
    return bucket >= 0 && bucket < config.buckets && ahead >= 0 && ahead < config.buckets;
  });
}

}  // namespace detail::t5_law

measurement bucket_laws::judge_within_table(const checked_buckets& of, const whole_table&) {
  return detail::t5_law::measure_within_table(of.buckets, of.config);
}

}  // namespace ropewalk
