// The reference in numbers of any precision: literal values, and results that are right to the last place.

#include "ropewalk/reference/sinusoidal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace ropewalk::reference {
namespace {

using narrow = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<64, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using wide = boost::multiprecision::cpp_bin_float_100;

constexpr sinusoidal paper{.d_model = 512};
constexpr sinusoidal fairseq{.d_model = 513,
                             .shift = 1,
                             .layout = sinusoidal_layout::sin_cos,
                             .odd = odd_width::zero,
                             .padding_idx = 1};

TEST(SinusoidalReference, FrequenciesRunFromOneToTheBase) {
  EXPECT_EQ(sinusoidal_inv_freq<wide>(0, paper), 1);
  const wide last = 1 / sinusoidal_inv_freq<wide>(255, fairseq);
  EXPECT_LT(abs(wide(last - 10000)), 10000 * std::numeric_limits<wide>::epsilon());
}

TEST(SinusoidalReference, EntriesAreGoodToTheLastPlace) {
  const wide bound = ldexp(wide(1), -63);
  for (const sinusoidal& config : {paper, fairseq})
    for (const double position : {0.0, -7.0, 131071.0, 0x1.8p1023, 0x1p-1074})
      for (const int channel : {0, 1, 255, 256, config.d_model - 1}) {
        const wide entry = sinusoidal_entry<wide>(position, channel, config);
        EXPECT_LT(abs(wide(wide(sinusoidal_entry<narrow>(position, channel, config)) - entry)), bound);
        EXPECT_LE(abs(entry), 1);
      }
}

TEST(SinusoidalReference, LaysChannelsOutAsEnginesDo) {
  const wide sine = sin(wide(2)), cosine = cos(wide(2)), close = std::numeric_limits<wide>::epsilon() * 4;
  const auto entry = [](int channel, sinusoidal_layout layout) {
    return sinusoidal_entry<wide>(2, channel, {.d_model = 6, .layout = layout});
  };
  EXPECT_LT(abs(wide(entry(0, sinusoidal_layout::interleaved) - sine)), close);
  EXPECT_LT(abs(wide(entry(1, sinusoidal_layout::interleaved) - cosine)), close);
  EXPECT_LT(abs(wide(entry(0, sinusoidal_layout::sin_cos) - sine)), close);
  EXPECT_LT(abs(wide(entry(3, sinusoidal_layout::sin_cos) - cosine)), close);
  EXPECT_LT(abs(wide(entry(0, sinusoidal_layout::cos_sin) - cosine)), close);
  EXPECT_LT(abs(wide(entry(3, sinusoidal_layout::cos_sin) - sine)), close);
}

TEST(SinusoidalReference, PaddingAndTheLastOddChannelAreZero) {
  EXPECT_EQ(sinusoidal_entry<wide>(-1, 3, fairseq), 0);
  EXPECT_EQ(sinusoidal_entry<wide>(5, 512, fairseq), 0);
  EXPECT_NE(sinusoidal_entry<wide>(-1, 3, paper), 0);
}

TEST(SinusoidalReference, RefusesWhatTheConfigurationDoesNotHold) {
  EXPECT_THROW(sinusoidal_inv_freq<narrow>(256, paper), std::invalid_argument);
  EXPECT_THROW(sinusoidal_entry<narrow>(0, 512, paper), std::invalid_argument);
  EXPECT_THROW(sinusoidal_entry<narrow>(HUGE_VAL, 0, paper), std::invalid_argument);
  EXPECT_THROW(sinusoidal_entry<narrow>(0, 0, {.d_model = 5}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
