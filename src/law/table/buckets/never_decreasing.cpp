#include "ropewalk/law/table/buckets/never_decreasing.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/buckets/buckets.hpp"

namespace ropewalk {

namespace detail::t5_law {

measurement measure_never_decreasing(const bucket_source& buckets, const t5_bias& config) {
  int before = 0;
  return judge_buckets(buckets, config, [&](std::int64_t, int bucket) {
    const bool holds = bucket >= before;
    before = bucket;
    return holds;
  });
}

}  // namespace detail::t5_law

measurement bucket_laws::judge_never_decreasing(const checked_buckets& of, const whole_table&) {
  return detail::t5_law::measure_never_decreasing(of.buckets, of.config);
}

}  // namespace ropewalk
