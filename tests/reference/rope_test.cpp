// The reference in numbers of any precision: known values, and results that are right to the last place.

#include "ropewalk/reference/rope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include <boost/multiprecision/mpfr.hpp>

#include "oracle/models.hpp"
#include "ropewalk/reference/rope_rows.hpp"

namespace ropewalk::reference {
namespace {

using narrow = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<64, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using wide = boost::multiprecision::cpp_bin_float_100;
using run_time = boost::multiprecision::mpfr_float;

const wide wide_epsilon = std::numeric_limits<wide>::epsilon();

class RopeReference : public testing::Test {
 protected:
  ~RopeReference() override { run_time::thread_default_precision(saved_); }
  unsigned saved_ = run_time::thread_default_precision();
};

/// Distance between the two in ulp of `narrow`; the wide one is the truth.
double last_places(const narrow& value, const wide& truth) {
  const wide distance = abs(wide(value) - truth);
  if (distance == 0) return 0;
  return static_cast<double>(wide(ldexp(wide(distance), 63 - ilogb(truth))));
}

const rope extremes[] = {
    {.base = 1 + 0x1p-52, .rotary_dim = 65536},
    {.base = 0x1.fffffffffffffp+1023, .rotary_dim = 64},
    {.base = 10000, .rotary_dim = 64, .scaling = linear{.factor = 0x1p-1074}},
    {.base = 10000, .rotary_dim = 64, .scaling = llama3{0x1p+1000, 1, 1 + 0x1p-52, 8192}},
    {.base = 10000,
     .rotary_dim = 64,
     .scaling = yarn{.factor = 0x1p-1000, .original_max_position_embeddings = 4096}},
    {.base = 10000,
     .rotary_dim = 64,
     .scaling = yarn{.factor = 1e300,
                     .original_max_position_embeddings = 4096,
                     .beta_fast = 1 + 0x1p-52,
                     .beta_slow = 1,
                     .truncate = false}},
};

TEST_F(RopeReference, YarnRampOfQwenRunsFrom23To40) {
  const auto ramp = rope_yarn_ramp<wide>(oracle::qwen_scaling, 1e6, 128);
  EXPECT_EQ(ramp.low, 23);
  EXPECT_EQ(ramp.high, 40);
}

TEST_F(RopeReference, YarnRampOfDeepSeekRunsFrom10To23) {
  const auto ramp =
      rope_yarn_ramp<wide>(yarn{.factor = 40, .original_max_position_embeddings = 4096}, 10000, 64);
  EXPECT_EQ(ramp.low, 10);
  EXPECT_EQ(ramp.high, 23);
}

TEST_F(RopeReference, YarnRampOfGptOssIsNotTruncated) {
  const auto ramp = rope_yarn_ramp<wide>(oracle::gpt_oss_scaling, 150000, 64);
  EXPECT_EQ(floor(wide(ramp.low * 10000 + 0.5)), 80928);
  EXPECT_EQ(floor(wide(ramp.high * 10000 + 0.5)), 173980);
}

TEST_F(RopeReference, YarnRampOfNoWidthIsWidenedByOneThousandth) {
  const auto ramp = rope_yarn_ramp<wide>(yarn{.factor = 4, .original_max_position_embeddings = 1}, 10000, 64);
  EXPECT_EQ(ramp.low, 0);
  EXPECT_LE(ramp.high, 0);  // its ceiling lies below pair 0, and only the low end is clamped to 0
  const yarn equal_betas{.factor = 4,
                         .original_max_position_embeddings = 4096,
                         .beta_fast = 2,
                         .beta_slow = 2,
                         .truncate = false};
  const auto point = rope_yarn_ramp<wide>(equal_betas, 10000, 64);
  EXPECT_LE(abs(wide(point.high - point.low - wide(1) / 1000)), 2 * wide_epsilon * point.high);
}

TEST_F(RopeReference, YarnAttentionFactorFollowsMscale) {
  yarn rule{.factor = 40, .original_max_position_embeddings = 4096};
  const auto factor = [&] {
    return rope_attention_factor<wide>({.base = 10000, .rotary_dim = 64, .scaling = rule});
  };
  const wide log_40 = log(wide(40));
  EXPECT_LE(abs(wide(factor() - (log_40 / 10 + 1))), wide_epsilon * 2);
  rule.mscale = 0.707;
  EXPECT_LE(abs(wide(factor() - (log_40 / 10 + 1))), wide_epsilon * 2);
  rule.mscale_all_dim = 1.0;
  EXPECT_LE(abs(wide(factor() * (log_40 / 10 + 1) - (wide(0.707) / 10 * log_40 + 1))), wide_epsilon * 4);
  rule.mscale = 1.0;
  EXPECT_EQ(factor(), 1);
  rule.attention_factor = 1.25;
  EXPECT_EQ(factor(), wide(1.25));
}

TEST_F(RopeReference, FactorOfAtMostOneLeavesAttentionAlone) {
  EXPECT_EQ(
      rope_attention_factor<wide>({.base = 10000,
                                   .rotary_dim = 64,
                                   .scaling = yarn{.factor = 0.5, .original_max_position_embeddings = 4096}}),
      1);
}

TEST_F(RopeReference, Llama3KeepsDividesAndBlends) {
  const rope& config = oracle::llama_31;
  const rope unscaled{.base = config.base, .rotary_dim = config.rotary_dim};
  int kept = 0, divided = 0, blended = 0;
  for (int pair = 0; pair < 64; ++pair) {
    const wide before = rope_inv_freq<wide>(pair, unscaled), after = rope_inv_freq<wide>(pair, config);
    const wide fits = 8192 * rope_turns<wide>(pair, unscaled);  // wavelengths in the original length
    if (fits > 4) {
      ++kept;
      EXPECT_EQ(after, before);
    } else if (fits < 1) {
      ++divided;
      EXPECT_EQ(after, before / 8);
    } else {
      ++blended;
      const wide share = (fits - 1) / 3;
      EXPECT_LE(abs(wide(after - ((1 - share) * before / 8 + share * before))), 4 * wide_epsilon * before);
    }
  }
  EXPECT_EQ(kept, 29);
  EXPECT_EQ(blended, 6);
  EXPECT_EQ(divided, 29);
}

TEST_F(RopeReference, InvFreqIsGoodToItsLastPlace) {
  std::vector<rope> configs(std::begin(extremes), std::end(extremes));
  for (const oracle::model& model : oracle::models) configs.push_back(model.config);
  for (const rope& config : configs)
    for (int pair : {1, pair_count(config) / 2}) {
      EXPECT_LE(last_places(rope_inv_freq<narrow>(pair, config), rope_inv_freq<wide>(pair, config)), 1);
      EXPECT_LE(last_places(rope_turns<narrow>(pair, config), rope_turns<wide>(pair, config)), 1);
    }
}

TEST_F(RopeReference, CosAndSinAreGoodToTheLastPlaceAtAnyPosition) {
  const double positions[] = {-7, 131071, 0x1p53 + 2, 0x1.8p1023, 0x1p-1074};
  for (const rope& config : {oracle::gpt_neox, oracle::qwen_yarn, extremes[3]})
    for (double position : positions)
      for (int pair : {0, pair_count(config) - 1}) {
        const wide bound = ldexp(rope_attention_factor<wide>(config), -63);
        const narrow cos = rope_cos<narrow>(position, pair, config),
                     sin = rope_sin<narrow>(position, pair, config);
        EXPECT_LT(abs(wide(wide(cos) - rope_cos<wide>(position, pair, config))), bound);
        EXPECT_LT(abs(wide(wide(sin) - rope_sin<wide>(position, pair, config))), bound);
      }
}

TEST_F(RopeReference, RunTimePrecisionGivesTheSameNumbers) {
  const int digits = 60;
  run_time::thread_default_precision(digits);
  const wide last_place = pow(wide(10), 1 - digits);
  for (const oracle::model& model : oracle::models)
    for (int pair : {0, 5, pair_count(model.config) - 1}) {
      const run_time freq = rope_inv_freq<run_time>(pair, model.config);
      const run_time cos = rope_cos<run_time>(-987654321, pair, model.config);
      EXPECT_EQ(freq.precision(), unsigned{digits});
      EXPECT_EQ(run_time::thread_default_precision(), unsigned{digits});
      const wide truth = rope_inv_freq<wide>(pair, model.config);
      EXPECT_LE(abs(wide(wide(freq) - truth)), last_place * truth);  // a dead pair's frequency is 0
      EXPECT_LE(abs(wide(wide(cos) - rope_cos<wide>(-987654321, pair, model.config))), last_place);
    }
}

TEST_F(RopeReference, IntegerAndRealPositionsAgree) {
  for (std::int64_t position : {0L, 1L, -1L, 2147483647L, -2147483648L})
    EXPECT_EQ(rope_cos<wide>(position, 3, oracle::llama_31),
              rope_cos<wide>(double(position), 3, oracle::llama_31));
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;  // not a binary64
  const wide distance = rope_sin<wide>(odd, 0, oracle::llama_2) - sin(wide(odd));
  EXPECT_LE(abs(distance), odd * wide_epsilon);  // Boost's sine loses bits by reducing 2^53 radians
}

TEST_F(RopeReference, PositionZeroGivesTheAttentionFactor) {
  EXPECT_EQ(rope_cos<wide>(0, 5, oracle::qwen_yarn), rope_attention_factor<wide>(oracle::qwen_yarn));
  EXPECT_EQ(rope_sin<wide>(0, 5, oracle::qwen_yarn), 0);
}

TEST_F(RopeReference, RowsHoldTheScalars) {
  const std::size_t pairs = 12, rows = 3;
  std::vector<wide> cos(pairs * rows), sin(pairs * rows), inv_freq(pairs), turns(pairs);
  rope_cos_sin_rows<wide>(-1, oracle::gpt_neox, cos, sin);
  rope_inv_freqs<wide>(oracle::gpt_neox, inv_freq);
  rope_turns_of_pairs<wide>(oracle::gpt_neox, turns);
  EXPECT_EQ(cos[2 * pairs + 7], rope_cos<wide>(1, 7, oracle::gpt_neox));
  EXPECT_EQ(sin[0 * pairs + 11], rope_sin<wide>(-1, 11, oracle::gpt_neox));
  EXPECT_EQ(inv_freq[4], rope_inv_freq<wide>(4, oracle::gpt_neox));
  EXPECT_EQ(turns[4], rope_turns<wide>(4, oracle::gpt_neox));
}

TEST_F(RopeReference, RefusesWhatTheConfigurationDoesNotHold) {
  EXPECT_THROW(rope_inv_freq<narrow>(64, oracle::llama_2), std::invalid_argument);
  EXPECT_THROW(rope_inv_freq<narrow>(-1, oracle::llama_2), std::invalid_argument);
  EXPECT_THROW(rope_inv_freq<narrow>(0, rope{.base = 10000, .rotary_dim = 3}), std::invalid_argument);
  EXPECT_THROW(rope_cos<narrow>(HUGE_VAL, 0, oracle::llama_2), std::invalid_argument);
  std::vector<narrow> cos(13), sin(13);
  EXPECT_THROW(rope_cos_sin_rows<narrow>(0, oracle::gpt_neox, cos, sin), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
