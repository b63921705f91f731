// Laws of T5's buckets: they hold for the exact ones, and each fails on buckets with the matching fault.

#include <gtest/gtest.h>

#include "law/broken_laws.hpp"
#include "law/faulty_buckets.hpp"
#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/reference/t5_bias.hpp"

namespace ropewalk::t5_bias_laws_test {
namespace {

using example::names;

/// Names of the laws that buckets break.
names broken(const bucket_source& buckets, const t5_bias& config) {
  return example::broken(bucket_laws::all, checked_buckets{buckets, config});
}

constexpr t5_bias encoder{}, decoder{.bidirectional = false}, wavlm{.buckets = 320, .max_distance = 800};
constexpr t5_bias of_9{.buckets = 9, .max_distance = 128, .bidirectional = false};
constexpr t5_bias of_32{.buckets = 32, .max_distance = 100, .bidirectional = false};

TEST(T5BiasLaws, HoldForExactBuckets) {
  for (const t5_bias& config : {encoder, decoder, wavlm, of_9, of_32,
                                t5_bias{.buckets = 64, .max_distance = 65536, .bidirectional = false}})
    EXPECT_EQ(broken(t5_bucket, config), names{}) << config.buckets;
}

TEST(T5BiasLaws, HoldForTheReference) {
  for (const t5_bias& config : {encoder, decoder, of_9, of_32})
    EXPECT_EQ(broken(reference::t5_bucket, config), names{}) << config.buckets;
}

TEST(T5BiasLaws, HaveNamesOfTheirOwn) { example::expect_names_of_their_own(bucket_laws::all); }

TEST(T5BiasLaws, ALogarithmOfAQuotientInBinary64BreaksEdges) {
  const auto buckets = example::buckets_by(example::binary64_log_of_quotient);
  EXPECT_EQ(broken(buckets, of_9), names{"edges"});
  EXPECT_EQ(buckets(-16, of_9), 5);  // 6, by a tie
  EXPECT_EQ(broken(buckets, of_32), names{});
}

TEST(T5BiasLaws, ADifferenceOfLogarithmsInBinary64BreaksEdges) {
  const auto buckets = example::buckets_by(example::binary64_difference_of_logs);
  EXPECT_EQ(broken(buckets, of_32), names{"edges"});
  EXPECT_EQ(buckets(-40, of_32), 23);  // 24, by a tie
}

TEST(T5BiasLaws, ALogarithmInBinary32BreaksEdgesButNotForTheDefaults) {
  const auto buckets = example::buckets_by(example::binary32_log_of_quotient);
  const t5_bias of_36{.buckets = 36, .max_distance = 50, .bidirectional = false};
  EXPECT_EQ(broken(buckets, of_36), names{"edges"});
  EXPECT_EQ(buckets(-30, of_36), 26);  // 27, by a tie: (30/18)^18 = (50/18)^9
  EXPECT_EQ(broken(buckets, encoder), names{});
  EXPECT_EQ(broken(buckets, decoder), names{});
}

TEST(T5BiasLaws, AReversedSignBreaksDirections) {
  const auto reversed = [](std::int64_t relative, const t5_bias& config) {
    return t5_bucket(-relative, config);
  };
  EXPECT_TRUE(broken(reversed, encoder).contains("directions"));
  EXPECT_TRUE(broken(reversed, decoder).contains("directions"));
}

TEST(T5BiasLaws, ABucketForDistanceExactBucketsBreaksOwnBucket) {
  const auto inclusive = [](std::int64_t relative, const t5_bias& config) {
    const int bucket = t5_bucket(relative, config), exact = exact_buckets(config);
    const bool is_beyond = relative < -exact && bucket < buckets_per_direction(config) - 1;
    return is_beyond ? bucket + 1 : bucket;
  };
  EXPECT_TRUE(broken(inclusive, encoder).contains("edges"));
  const auto exclusive = [](std::int64_t relative, const t5_bias& config) {
    return t5_bucket(relative, config) == exact_buckets(config) - 1 ? exact_buckets(config)
                                                                    : t5_bucket(relative, config);
  };
  EXPECT_TRUE(broken(exclusive, encoder).contains("own-bucket"));
}

TEST(T5BiasLaws, ADistanceKeptInEightBitsBreaksNeverDecreasingAndSaturating) {
  const auto wrapped = [](std::int64_t relative, const t5_bias& config) {
    const std::int64_t kept = relative < 0 ? -((-relative) & 255) : relative & 255;
    return t5_bucket(kept, config);
  };
  const names law_names = broken(wrapped, wavlm);
  EXPECT_TRUE(law_names.contains("never-decreasing"));
  EXPECT_TRUE(law_names.contains("saturating"));
}

TEST(T5BiasLaws, BucketsThatAreNotClampedBreakWithinTable) {
  const auto unclamped = [](std::int64_t relative, const t5_bias& config) {
    const std::int64_t distance = relative < 0 ? -relative : 0;
    if (distance < exact_buckets(config)) return static_cast<int>(distance);
    return exact_buckets(config) + static_cast<int>(example::binary64_log_of_quotient(distance, config));
  };
  const names law_names = broken(unclamped, decoder);
  EXPECT_TRUE(law_names.contains("within-table"));
  EXPECT_TRUE(law_names.contains("saturating"));
}

}  // namespace
}  // namespace ropewalk::t5_bias_laws_test
