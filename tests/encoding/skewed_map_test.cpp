// The map with two angles in one pair: which entry stands at a channel and which channel is its partner, as
// the models' code says it, and what the map does to a head.

#include "ropewalk/encoding/skewed_map.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/rope_axes.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk {
namespace {

using real = enclosure<6>;
using place = std::vector<std::int32_t>;

const skewed_map ernie_image{.encoding = {.base = 256, .rotary_dim = 128},
                             .axes = own_axes(16, 24, 24),
                             .angles = pairing::interleaved,
                             .partners = pairing::half_split};
const skewed_map v_jepa_2{.encoding = {.base = 10000, .rotary_dim = 60},
                          .axes = own_axes(10, 10, 10),
                          .angles = pairing::half_split_by_axis,
                          .partners = pairing::interleaved};

TEST(SkewedMap, ErnieImageHasItsAnglesInterleavedAndItsPartnersHalfSplit) {
  for (int channel = 0; channel < 128; ++channel) {
    EXPECT_EQ(pair_of_channel(channel, ernie_image.axes, ernie_image.encoding, ernie_image.angles),
              channel / 2);
    EXPECT_EQ(partner_of(channel, ernie_image), channel < 64 ? channel + 64 : channel - 64);
  }
}

TEST(SkewedMap, VJepa2HasItsAnglesInHalvesOfAnAxisAndItsPartnersInterleaved) {
  for (int channel = 0; channel < 60; ++channel) {
    EXPECT_EQ(pair_of_channel(channel, v_jepa_2.axes, v_jepa_2.encoding, v_jepa_2.angles),
              10 * (channel / 20) + channel % 20 % 10);
    EXPECT_EQ(partner_of(channel, v_jepa_2), channel ^ 1);
  }
}

/// Each channel's cosine and sine in four formats against the reference in MPFR numbers.
TEST(SkewedMap, EntriesOfChannelsAreCorrectlyRoundedInFourFormats) {
  int compared = 0;
  for (const skewed_map& config : {ernie_image, v_jepa_2}) {
    const rope_axes_rows rows(config.axes, config.encoding);
    for (const place& at : {place{64, 14, 49}, {0, 0, 13}, {3, 63, 1}}) {
      const std::vector<double> numbers(at.begin(), at.end());
      for (int channel = 0; channel < config.encoding.rotary_dim; ++channel) {
        const bool is_ernie = config.angles == pairing::interleaved;
        const int pair = is_ernie ? channel / 2 : 10 * (channel / 20) + channel % 10;
        const auto wanted = [&](bool is_sine) {
          return oracle::rounded_to_all(
              [&](mpfr_prec_t bits) {
                const oracle::mpfr_number value = oracle::detail::in_precision(bits, [&] {
                  const auto point = reference::rope_axes_cos_sin<oracle::detail::boost_number>(
                      numbers, pair, config.axes, config.encoding);
                  return is_sine ? point.sin : point.cos;
                });
                return oracle::detail::widened(value, 2 - bits);
              },
              192);
        };
        const bool stands_at_zero =
            numbers[static_cast<std::size_t>(axis_of(pair, config.axes, config.encoding).axis)] == 0;
        const oracle::four_roundings cos = wanted(false),
                                     sin = stands_at_zero ? oracle::four_roundings{} : wanted(true);
        for_each_format([&]<class Float>() {
          const auto got = rows.row<Float>(at)[static_cast<std::size_t>(
              pair_of_channel(channel, config.axes, config.encoding, config.angles))];
          EXPECT_EQ(got.cos, cos.in<Float>()) << channel;
          EXPECT_EQ(got.sin, sin.in<Float>()) << channel;
          compared += 2;
        });
      }
    }
  }
  EXPECT_EQ(compared, 3 * 8 * (128 + 60));
}

/// out_c = x_c cos t_c -+ x_p sin t_c, channel by channel.
TEST(SkewedMap, TheMapIsTheModelsFormula) {
  for (const skewed_map& config : {ernie_image, v_jepa_2}) {
    const place at{5, 7, 11};
    std::vector<real> x;
    for (int channel = 0; channel < config.encoding.rotary_dim; ++channel)
      x.push_back(real::of(channel % 7 - 3));
    const std::vector<real> got = skewed<6>(std::span<const real>(x), at, config);
    for (int channel = 0; channel < config.encoding.rotary_dim; ++channel) {
      const int pair = pair_of_channel(channel, config.axes, config.encoding, config.angles);
      const auto block = rope_axes_block<6>(pair, at, config.axes, config.encoding);
      const int partner = partner_of(channel, config);
      const real cross = x[static_cast<std::size_t>(partner)] * block.sin;
      const real value =
          x[static_cast<std::size_t>(channel)] * block.cos + (channel < partner ? -cross : cross);
      EXPECT_TRUE(may_be_zero(got[static_cast<std::size_t>(channel)] - value));
    }
  }
}

/// With one pairing for both, the map is the rotation: its pairs' determinants are 1.
TEST(SkewedMap, EqualPairingsAreTheRotation) {
  skewed_map config = ernie_image;
  config.angles = config.partners;
  for (int partners = 0; partners < 64; ++partners) {
    const auto skewed = skewed_pair_of<6>(partners, place{3, 4, 5}, config);
    EXPECT_TRUE(may_be_zero(skewed.determinant() - real::of(1)));
    EXPECT_TRUE(may_be_zero(skewed.skew()));
  }
}

/// The squares of the singular values are 1 + sin(u - v) and 1 - sin(u - v): their product is the square of
/// the determinant.
TEST(SkewedMap, SkewAndDeterminantAreCosineAndSineOfOneAngle) {
  for (int partners = 0; partners < 30; ++partners) {
    const auto skewed = skewed_pair_of<6>(partners, place{9, 8, 7}, v_jepa_2);
    EXPECT_TRUE(may_be_zero(skewed.determinant() * skewed.determinant() + skewed.skew() * skewed.skew() -
                            real::of(1)));
  }
}

TEST(SkewedMap, WhatDoesNotFitIsRefused) {
  skewed_map config = v_jepa_2;
  config.encoding.rotary_dim = 58;
  EXPECT_THROW(validate(config), std::invalid_argument);
  EXPECT_THROW((void)partner_of(-1, v_jepa_2), std::invalid_argument);
  EXPECT_THROW((void)partner_of(60, v_jepa_2), std::invalid_argument);
  config = v_jepa_2;
  config.axes.order = axis_order::round_robin;
  EXPECT_THROW(validate(config), std::invalid_argument) << "half-split by axis";
}

}  // namespace
}  // namespace ropewalk
