#include "ropewalk/law/table/buckets/own_bucket.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

measurement measure_own_buckets(const bucket_source& buckets, const t5_bias& config) {
  return judge_buckets(buckets, config, [&](std::int64_t distance, int bucket) {
    return (distance < exact_buckets(config)) == (bucket < exact_buckets(config)) &&
           (distance >= exact_buckets(config) || bucket == distance);
  });
}

}  // namespace detail::t5_law

measurement bucket_laws::judge_own_bucket(const checked_buckets& of, const whole_table&) {
  return detail::t5_law::measure_own_buckets(of.buckets, of.config);
}

}  // namespace ropewalk
