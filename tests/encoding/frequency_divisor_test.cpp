// Frequency divisors of random configurations: divisor x scaled frequency = unscaled frequency.

#include "ropewalk/encoding/frequency_divisor.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "oracle/enclosure_bracket.hpp"
#include "oracle/random_config.hpp"
#include "ropewalk/encoding/rope.hpp"

namespace ropewalk {
namespace {

void expect_divisors_divide(const std::string& what, const rope& config) {
  rope plain = config;
  plain.scaling = {};
  const auto shared = share<4>(config);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const enclosure<4> scaled = rope_inv_freq<4>(pair, config, shared);
    const enclosure<4> divisor = rope_frequency_divisor<4>(pair, config, shared);
    if (is_exact(scaled) && is_zero(scaled.midpoint)) {
      EXPECT_TRUE(is_unbounded(divisor)) << what << " pair " << pair;
      continue;
    }
    ASSERT_FALSE(is_unbounded(divisor)) << what << " pair " << pair;
    const order relation = compare(divisor * scaled, rope_inv_freq<4>(pair, plain, shared));
    EXPECT_TRUE(relation == order::equal || relation == order::undecided) << what << " pair " << pair;
    EXPECT_TRUE(is_exact(divisor) || oracle::relative_error_exponent(divisor) < -128) << what << pair;
  }
}

TEST(FrequencyDivisor, DividesTheUnscaledFrequency) {
  for (const rope_scaling& rule : oracle::every_rule()) {
    oracle::random_configs draw(200 + static_cast<std::uint64_t>(rule.index));
    for (int i = 0; i < 200; ++i)
      expect_divisors_divide(std::string(name_of(rule)) + " " + std::to_string(i), draw.of(rule));
  }
}

TEST(FrequencyDivisor, FollowsARampThatItsClampsReverse) {
  // With 2^500 positions even the slowest pair turns more often than beta_fast. The clamp then reverses the
  // ramp, and the formula divides every frequency.
  for (const double length : {1.0, 0x1p+500})
    expect_divisors_divide("yarn",
                           {.base = 10000,
                            .rotary_dim = 16,
                            .scaling = yarn{.factor = 4, .original_max_position_embeddings = length}});
}

}  // namespace
}  // namespace ropewalk
