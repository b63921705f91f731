// T5's buckets against integers of arbitrary size: 2 to 64 buckets, max_distance up to 1000 above the number
// of exact buckets, every distance.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/reference/t5_bias.hpp"

namespace ropewalk {
namespace {

TEST(T5BiasExhaustive, EveryDistanceOf63000Settings) {
  std::int64_t settings = 0, wrong = 0;
  for (int buckets = 2; buckets <= 64; ++buckets)
    for (int more = 1; more <= 1000; ++more, ++settings) {
      const t5_bias config{.buckets = buckets, .max_distance = buckets / 2 + more, .bidirectional = false};
      const std::vector<int> truth = reference::t5_buckets_behind(config, config.max_distance);
      for (std::size_t distance = 0; distance < truth.size(); ++distance)
        wrong += t5_bucket(-static_cast<std::int64_t>(distance), config) != truth[distance] ? 1 : 0;
    }
  EXPECT_EQ(settings, 63000);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace ropewalk
