// Laws of xPos: they hold for the correctly rounded rows, and each fails on rows with the matching fault.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "law/broken_laws.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/xpos_rows.hpp"

namespace ropewalk::xpos_laws_test {
namespace {

using example::names;

/// Every position of a sequence, then pairs of distant ones.
const listed_positions tried{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 6, 1, 9, 3, 11, 11, 2}};
constexpr xpos config{.rotary_dim = 16, .scale_base = 4, .length = 12};

names broken_by(const xpos_source& source, ropewalk_dtype dtype = ROPEWALK_F32) {
  return example::broken(xpos_laws::all, checked_xpos_rows{dtype, source, config}, tried);
}

template <floating_format Float>
std::vector<cos_sin_entry> exact_row(std::int64_t position, xpos_side side, const xpos& encoding) {
  return widened_pairs(xpos_row<Float>(position, side, encoding));
}

TEST(XposLaws, HoldForTheRowsInEveryFormat) {
  for_each_format([]<class Float>() { EXPECT_EQ(broken_by(exact_row<Float>, dtype_of<Float>), names{}); });
}

using row = std::vector<cos_sin_entry>;

/// Rows in binary64 arithmetic, with the scale that scale(z, exponent, side) returns.
template <class Scale>
xpos_source with_scale(Scale scale) {
  return [scale](std::int64_t position, xpos_side side, const xpos& encoding) {
    row entries;
    for (int pair = 0; pair < encoding.rotary_dim / 2; ++pair) {
      const double d = encoding.rotary_dim, z = (2 * pair + 0.4 * d) / (1.4 * d);
      const double exponent = static_cast<double>(position + xpos_offset(encoding)) / encoding.scale_base;
      const double size = scale(z, exponent, side),
                   angle = static_cast<double>(position) * std::pow(encoding.base, -2 * pair / d);
      entries.push_back({to_bits(static_cast<float>(size * std::cos(angle))),
                         to_bits(static_cast<float>(size * std::sin(angle)))});
    }
    return entries;
  };
}

TEST(XposLaws, KeysThatAreMultipliedTooBreakBoth) {
  EXPECT_EQ(broken_by(with_scale([](double z, double exponent, xpos_side) { return std::pow(z, exponent); })),
            (names{"norm", "relative", "rounded-once"}));
}

/// An offset of the exponents cancels in scores: what a query gains, a key loses.
TEST(XposLaws, ExponentsCountedFromTheFirstTokenBreakTheNormAlone) {
  EXPECT_EQ(broken_by(with_scale([](double z, double exponent, xpos_side side) {
              return std::pow(z, (side == xpos_side::query ? 1 : -1) * (exponent + 1.5));
            })),
            (names{"norm", "rounded-once"}));
}

TEST(XposLaws, AScaleOfOneBreaksBoth) {
  EXPECT_EQ(broken_by(with_scale([](double, double, xpos_side) { return 1.0; })),
            (names{"norm", "relative", "rounded-once"}));
}

TEST(XposLaws, AScaleOnTheCosineAloneBreaksBoth) {
  const xpos_source faulty = [](std::int64_t position, xpos_side side, const xpos& encoding) {
    row entries = exact_row<float>(position, side, encoding);
    xpos middle = encoding;
    middle.length = 0;
    middle.scale_base = 1 << 20;
    for (int pair = 0; pair < encoding.rotary_dim / 2; ++pair)
      entries[static_cast<std::size_t>(pair)].sin = round_xpos_entry<float>(pair, position, side, middle).sin;
    return entries;
  };
  EXPECT_EQ(broken_by(faulty), (names{"norm", "relative", "rounded-once"}));
}

TEST(XposLaws, NumbersThatAreNotFiniteBreakBoth) {
  EXPECT_EQ(broken_by([](std::int64_t, xpos_side, const xpos& encoding) {
              return row(static_cast<std::size_t>(encoding.rotary_dim / 2), {0x7fc00000, 0});
            }),
            (names{"norm", "relative", "rounded-once"}));
}

/// Rows of the library, changed entry by entry.
template <class Change>
xpos_source changed(Change change) {
  return [change](std::int64_t position, xpos_side side, const xpos& encoding) {
    row entries = exact_row<float>(position, side, encoding);
    for (auto& entry : entries) entry = change(entry);
    return entries;
  };
}

using entry = cos_sin_entry;

TEST(XposLaws, ExchangedSinesAndCosinesBreakRelative) {
  EXPECT_EQ(broken_by(changed([](const entry& formed) {
              return entry{formed.sin, formed.cos};
            })),
            (names{"relative", "rounded-once"}));
}

TEST(XposLaws, AReversedSineBreaksRelative) {
  EXPECT_EQ(broken_by(changed([](const entry& formed) {
              return entry{formed.cos, formed.sin ^ 0x80000000u};
            })),
            (names{"relative", "rounded-once"}));
}

/// Half a turn of both sides changes no score and no norm.
TEST(XposLaws, HalfATurnBreaksRoundingAlone) {
  EXPECT_EQ(broken_by(changed([](const entry& formed) {
              return entry{formed.cos ^ 0x80000000u, formed.sin ^ 0x80000000u};
            })),
            (names{"rounded-once"}));
}

TEST(XposLaws, APositionTooFarBreaksRounding) {
  EXPECT_TRUE(broken_by([](std::int64_t position, xpos_side side, const xpos& encoding) {
                xpos longer = encoding;
                longer.length += 2;
                return exact_row<float>(position + 1, side, longer);
              }).contains("rounded-once"));
}

/// Constants a few times too large would miss an error of eight ulps.
TEST(XposLaws, EightUnitsInTheLastPlaceBreakNormAndRelative) {
  EXPECT_EQ(broken_by(changed([](const entry& formed) {
              return entry{formed.cos + 8, formed.sin};
            })),
            (names{"norm", "relative", "rounded-once"}));
}

TEST(XposLaws, RefuseARowOfAnotherLength) {
  const xpos_source none = [](std::int64_t, xpos_side, const xpos&) { return row{}; };
  EXPECT_THROW(xpos_laws::norm.measure({ROPEWALK_F32, none, config}, tried), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::xpos_laws_test
