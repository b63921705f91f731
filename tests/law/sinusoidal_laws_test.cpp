// Laws of the sinusoidal encoding: they hold for the tables of every convention and format, and each fails on
// a table with the matching fault.

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "law/broken_laws.hpp"
#include "law/faulty_sinusoids.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
#include "ropewalk/table/sinusoidal_table.hpp"

namespace ropewalk::sinusoidal_laws_test {
namespace {

using example::names;
using example::sinusoid_fault;

constexpr std::int64_t length = 300;  // beyond 256, where bfloat16 positions begin to coincide
constexpr sinusoidal paper{.d_model = 32};
// -0.5: the paper's exponent, 2i / d_model, at an odd width.
constexpr sinusoidal padded{.d_model = 9, .shift = -0.5, .odd = odd_width::zero, .padding_idx = 1};

/// Names of the laws that a table of a format breaks.
template <floating_format Float>
names broken(const sinusoidal_source& source, const sinusoidal& config, std::int64_t rows = length) {
  return example::broken(sinusoidal_laws::all, checked_sinusoids{dtype_of<Float>, source, config}, {0, rows});
}

template <floating_format Float>
std::vector<std::uint64_t> exact_rows(position_range positions, const sinusoidal& config) {
  return widened(sinusoidal_encodings<Float>(positions, config));
}

template <floating_format Float>
void expect_exact_tables_hold() {
  for (const double shift : {0, 1})
    for (const auto layout :
         {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
      for (const int d_model : {2, 15, 64})
        for (const given<int> padding : {given<int>{}, given<int>{1}}) {
          const sinusoidal config{10000, d_model, shift, layout, odd_width::zero, padding, 1};
          EXPECT_EQ(broken<Float>(exact_rows<Float>, config), names{}) << d_model;
        }
}

TEST(SinusoidalLaws, HoldForEveryConventionInBinary64) { expect_exact_tables_hold<double>(); }
TEST(SinusoidalLaws, HoldForEveryConventionInBinary32) { expect_exact_tables_hold<float>(); }
TEST(SinusoidalLaws, HoldForEveryConventionInBinary16) { expect_exact_tables_hold<binary16>(); }
TEST(SinusoidalLaws, HoldForEveryConventionInBfloat16) { expect_exact_tables_hold<bfloat16>(); }

TEST(SinusoidalLaws, HoldForExtremeBases) {
  for (const double base : {1 + 0x1p-52, 0x1.fffffffffffffp+1023})
    EXPECT_EQ(broken<float>(exact_rows<float>, {.base = base, .d_model = 16}), names{}) << base;
}

TEST(SinusoidalLaws, HoldForOneRow) {
  const checked_sinusoids exact{ROPEWALK_F32, exact_rows<float>, paper};
  for (const auto& law : sinusoidal_laws::all)
    EXPECT_TRUE(!law.applies(exact) || law.measure(exact, {0, 1}).holds) << law.name;
}

TEST(SinusoidalLaws, HaveNamesOfTheirOwn) { example::expect_names_of_their_own(sinusoidal_laws::all); }

TEST(SinusoidalLaws, ShiftComesCloseToItsBound) {
  const checked_sinusoids wide{ROPEWALK_F32, exact_rows<float>, {.d_model = 128}};
  const measurement measured = sinusoidal_laws::shift.measure(wide, {0, 2000});
  EXPECT_TRUE(measured.holds);
  EXPECT_GT(measured.worst, 0.9);
}

names broken_by(sinusoid_fault fault, const sinusoidal& config = paper) {
  return broken<float>(example::sinusoids_with<float>(fault), config);
}

TEST(SinusoidalLaws, TheFaultlessExampleBreaksNone) {
  EXPECT_EQ(broken_by(sinusoid_fault::none), names{});
  EXPECT_EQ(broken_by(sinusoid_fault::none, padded), names{});
}

TEST(SinusoidalLaws, AnAngleInBinary32BreaksShift) {
  EXPECT_EQ(broken_by(sinusoid_fault::angle_binary32), (names{"rounded-once", "shift"}));
}

TEST(SinusoidalLaws, ACosineOfItsOwnFrequencyBreaksShift) {
  EXPECT_EQ(broken_by(sinusoid_fault::own_frequency), (names{"rounded-once", "shift"}));
}

TEST(SinusoidalLaws, SinesAloneBreakShiftAndOrigin) {
  EXPECT_EQ(broken_by(sinusoid_fault::sine_alone), (names{"origin", "rounded-once", "shift"}));
}

TEST(SinusoidalLaws, ExchangedWavesBreakOrigin) {
  const names law_names = broken_by(sinusoid_fault::waves_exchanged);
  EXPECT_TRUE(law_names.contains("origin"));
  EXPECT_TRUE(law_names.contains("frequencies"));
}

TEST(SinusoidalLaws, ANormalisedPositionBreaksSameRow) {
  EXPECT_TRUE(broken_by(sinusoid_fault::normalised).contains("same-row"));
}

TEST(SinusoidalLaws, APositionCountedFromOneBreaksOriginAndNotShift) {
  const names law_names = broken_by(sinusoid_fault::off_by_one);
  EXPECT_TRUE(law_names.contains("origin"));
  EXPECT_FALSE(law_names.contains("shift"));
}

TEST(SinusoidalLaws, AReversedExponentBreaksFrequencies) {
  EXPECT_TRUE(broken_by(sinusoid_fault::exponent_reversed).contains("frequencies"));
}

TEST(SinusoidalLaws, ScalingByTheRootOfTheWidthBreaksRange) {
  EXPECT_TRUE(broken_by(sinusoid_fault::scaled).contains("range"));
}

TEST(SinusoidalLaws, PositionsInBfloat16BreakDistinct) {
  const names law_names = broken_by(sinusoid_fault::position_bfloat16);
  EXPECT_TRUE(law_names.contains("distinct"));
  EXPECT_TRUE(law_names.contains("shift"));
}

TEST(SinusoidalLaws, AWrappedPositionBreaksDistinct) {
  EXPECT_TRUE(broken_by(sinusoid_fault::wrapped).contains("distinct"));
}

TEST(SinusoidalLaws, AnOrdinaryPaddingRowBreaksZeros) {
  EXPECT_EQ(broken_by(sinusoid_fault::padding_kept, padded), names{"zeros"});
}

TEST(SinusoidalLaws, ACosineOfACosineBreaksOriginAndShift) {
  EXPECT_EQ(broken_by(sinusoid_fault::cosine_of_cosine), (names{"origin", "rounded-once", "shift"}));
}

TEST(SinusoidalLaws, NotANumberBreaksRangeAndShift) {
  const names law_names = broken_by(sinusoid_fault::not_a_number);
  EXPECT_TRUE(law_names.contains("range"));
  EXPECT_TRUE(law_names.contains("shift"));
  EXPECT_TRUE(law_names.contains("frequencies"));
}

TEST(SinusoidalLaws, ATableOfAnotherSizeIsRefused) {
  const checked_sinusoids none{
      ROPEWALK_F32, [](position_range, const sinusoidal&) { return std::vector<std::uint64_t>(3); }, paper};
  for (const auto& law : sinusoidal_laws::all) {
    if (!law.applies(none)) continue;
    EXPECT_THROW(law.measure(none, {0, length}), std::invalid_argument) << law.name;
  }
}

TEST(SinusoidalLaws, RowsAreSurelyDistinctUpToTheLengthThatRoundingLeaves) {
  // One pair, one radian per position: 710 positions are 113 turns to within 6e-5 radians, which bfloat16 and
  // binary16 cannot resolve.
  EXPECT_EQ(sinusoidal_distinct_length<bfloat16>({.d_model = 2}, 2000), 710);
  EXPECT_EQ(sinusoidal_distinct_length<binary16>({.d_model = 2}, 2000), 710);
  EXPECT_EQ(sinusoidal_distinct_length<float>({.d_model = 2}, 2000), 2000);
  EXPECT_EQ(sinusoidal_distinct_length<bfloat16>({.d_model = 512}, 2000), 2000);
  EXPECT_THROW(sinusoidal_distinct_length<float>({.d_model = 2}, 0), std::invalid_argument);
}

TEST(SinusoidalLaws, Bfloat16RowsOfOnePairDoMeetBeyondIt) {
  const auto rows = sinusoidal_encodings<bfloat16>({0, 1500}, {.d_model = 2});
  bool any_meet = false;
  for (std::size_t p = 0; p + 710 < 1500; ++p)
    any_meet = any_meet || (rows[2 * p] == rows[2 * (p + 710)] && rows[2 * p + 1] == rows[2 * (p + 710) + 1]);
  EXPECT_TRUE(any_meet);
}

}  // namespace
}  // namespace ropewalk::sinusoidal_laws_test
