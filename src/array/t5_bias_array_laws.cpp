// Laws on arrays of T5's buckets.

#include <algorithm>

#include "array/array_laws.hpp"
#include "array/checked_array.hpp"
#include "ropewalk/law/table/bucket_laws.hpp"

namespace ropewalk::array {

std::vector<array_law> array_laws(const tables::bucket_content& content, tables::table_dtype,
                                  const promise&) {
  std::vector<array_law> laws;
  const auto& [config, last] = content;
  if (last < config.max_distance) return laws;
  const auto subject = [=](const std::byte* array) {
    const auto bucket = [=](std::int64_t relative, const t5_bias&) {
      return static_cast<int>(bits_at<std::int32_t>(array, std::clamp(relative, -last, last) + last));
    };
    return checked_buckets{bucket, config};
  };
  for (const auto& law : {bucket_laws::within_table, bucket_laws::own_bucket, bucket_laws::never_decreasing,
                          bucket_laws::edges, bucket_laws::saturating, bucket_laws::directions})
    add_on_whole(laws, law, {}, subject);
  return laws;
}

}  // namespace ropewalk::array
