// Compares the softmax scale of multi-head latent attention with MPFR and with the reference.

#include "ropewalk/encoding/latent_attention.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "oracle/enclosure_bracket.hpp"
#include "oracle/models.hpp"
#include "oracle/random_enclosure.hpp"
#include "oracle/rounding.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/reference/latent_attention.hpp"

namespace ropewalk {
namespace {

template <floating_format Float>
bits_of<Float> rounded_scale(int channels, const rope_scaling& scaling) {
  return round_with_enough_limbs<Float>("softmax scale",
                                        [&]<int N>() { return latent_softmax_scale<N>(channels, scaling); });
}

/// (0.1 mscale ln factor + 1)^2 / sqrt(channels) by MPFR, every step rounded outward.
oracle::bracket scale_by_mpfr(int channels, double factor, double mscale, mpfr_prec_t bits) {
  return oracle::directed(bits, [&](mpfr_ptr scale, mpfr_rnd_t direction) {
    oracle::mpfr_number growth(bits, factor), root(bits);
    mpfr_log(growth, growth, direction);
    mpfr_mul_d(growth, growth, mscale, direction);
    mpfr_div_ui(growth, growth, 10, direction);
    mpfr_add_ui(growth, growth, 1, direction);
    mpfr_sqr(growth, growth, direction);
    mpfr_sqrt_ui(root, static_cast<unsigned long>(channels), direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD);
    mpfr_div(scale, growth, root, direction);
  });
}

TEST(LatentAttention, SoftmaxScaleOfDeepSeekV3) {
  EXPECT_EQ(from_bits<double>(rounded_scale<double>(192, oracle::deepseek_scaling)), 0.1352337788608801);
}

TEST(LatentAttention, SoftmaxScaleIsCorrectlyRounded) {
  using wide = boost::multiprecision::cpp_bin_float_100;
  for (const int channels : {1, 2, 64, 96, 128, 192, 576, 65536})
    for (const double factor : {1.0, 1.0000000000000002, 2.5, 40.0, 1e300})
      for (const double mscale : {0.0, 0.1, 0.707, 1.0, 3.0}) {
        yarn rule = oracle::deepseek_scaling;
        rule.factor = factor;
        rule.mscale_all_dim = mscale;
        const auto truth = [&](mpfr_prec_t bits) { return scale_by_mpfr(channels, factor, mscale, bits); };
        EXPECT_EQ(rounded_scale<double>(channels, rule), oracle::rounded<double>(truth)) << factor;
        EXPECT_EQ(rounded_scale<float>(channels, rule), oracle::rounded<float>(truth)) << factor;
        EXPECT_EQ(rounded_scale<binary16>(channels, rule), oracle::rounded<binary16>(truth)) << factor;
        EXPECT_EQ(rounded_scale<bfloat16>(channels, rule), oracle::rounded<bfloat16>(truth)) << factor;
        EXPECT_TRUE(oracle::contains(latent_softmax_scale<4>(channels, rule), truth(512)));
        const auto reference = reference::latent_softmax_scale<wide>(channels, rule);
        EXPECT_EQ(from_bits<double>(rounded_scale<double>(channels, rule)), reference.convert_to<double>());
      }
}

TEST(LatentAttention, OnlyYarnChangesTheScale) {
  for (const rope_scaling& scaling : {rope_scaling{}, rope_scaling{linear{8}}, rope_scaling{ntk{4}}}) {
    EXPECT_EQ(from_bits<double>(rounded_scale<double>(64, scaling)), 0.125);
    EXPECT_EQ(reference::latent_softmax_scale<boost::multiprecision::cpp_bin_float_50>(64, scaling), 0.125);
  }
  yarn no_mscale = oracle::deepseek_scaling;
  no_mscale.mscale_all_dim = {};
  EXPECT_EQ(from_bits<double>(rounded_scale<double>(64, no_mscale)), 0.125);
}

TEST(LatentAttention, RefusesZeroChannelsAndInvalidRules) {
  EXPECT_THROW(latent_softmax_scale<4>(0, {}), std::invalid_argument);
  EXPECT_THROW(latent_softmax_scale<4>(64, yarn{}), std::invalid_argument);
  using narrow = boost::multiprecision::cpp_bin_float_50;
  EXPECT_THROW(reference::latent_softmax_scale<narrow>(0, {}), std::invalid_argument);
  EXPECT_THROW(reference::latent_softmax_scale<narrow>(64, yarn{}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
