// Laws of several axes: they hold for the tables, and each fails on rows with the fault it is for.

#include "ropewalk/law/rope_axes_laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk {
namespace {

using names = std::set<std::string_view>;
using row = std::vector<cos_sin_bits<float>>;
using positions = std::vector<std::int32_t>;

constexpr rope config{.rotary_dim = 32};
constexpr rope_axes chunks{axis_rule::mrope, {4, 6, 6}}, strides{axis_rule::mrope_interleaved, {6, 5, 5}},
    pixtral{axis_rule::pixtral, {}}, qwen_vision{axis_rule::qwen_vision, {}}, text{};

template <floating_format Float>
names broken_by(const rope_axes_source<Float>& source, const rope_axes& axes) {
  names found;
  for (const rope_axes_law<Float>& law : rope_axes_laws<Float>) {
    const measurement m = law.measure(source, axes, config);
    EXPECT_GT(m.compared, 0) << law.name;
    if (!m.holds) found.insert(law.name);
  }
  return found;
}

template <floating_format Float>
std::vector<cos_sin_bits<Float>> tables(const positions& at, const rope_axes& axes, const rope& of) {
  return rope_axes_rows(axes, of).row<Float>(at);
}

TEST(RopeAxesLaws, HoldForTheTablesInEveryFormat) {
  for (const rope_axes& axes : {chunks, strides, pixtral, qwen_vision, text}) {
    EXPECT_EQ(broken_by<double>(tables<double>, axes), names{}) << name_of(axes.rule);
    EXPECT_EQ(broken_by<float>(tables<float>, axes), names{}) << name_of(axes.rule);
    EXPECT_EQ(broken_by<binary16>(tables<binary16>, axes), names{}) << name_of(axes.rule);
    EXPECT_EQ(broken_by<bfloat16>(tables<bfloat16>, axes), names{}) << name_of(axes.rule);
  }
}

/// Text sees no difference between the layouts: only a token on several axes does.
TEST(RopeAxesLaws, ChunksWhereStridesAreAskedForBreakOwnAxis) {
  const rope_axes_source<float> faulty = [](const positions& at, const rope_axes&, const rope& of) {
    return tables<float>(at, {axis_rule::mrope, strides.mrope_section}, of);
  };
  EXPECT_EQ(broken_by(faulty, strides), names{"own-axis"});
}

TEST(RopeAxesLaws, HeightAndWidthExchangedBreakOwnAxis) {
  const rope_axes_source<float> faulty = [](positions at, const rope_axes& axes, const rope& of) {
    std::swap(at[at.size() - 1], at[at.size() - 2]);
    return tables<float>(at, axes, of);
  };
  for (const rope_axes& axes : {chunks, strides, pixtral, qwen_vision})
    EXPECT_EQ(broken_by(faulty, axes), names{"own-axis"}) << name_of(axes.rule);
}

TEST(RopeAxesLaws, TimeForEveryPairBreaksOwnAxis) {
  const rope_axes_source<float> faulty = [](positions at, const rope_axes& axes, const rope& of) {
    std::fill(at.begin(), at.end(), at.front());
    return tables<float>(at, axes, of);
  };
  EXPECT_EQ(broken_by(faulty, chunks), names{"own-axis"});
}

/// Frequencies counted anew on each axis, as a rope of each section's own: another fault than a wrong axis.
TEST(RopeAxesLaws, FrequenciesOfAnotherPairBreakText) {
  const rope_axes_source<float> faulty = [](const positions& at, const rope_axes& axes, const rope& of) {
    row r = tables<float>(at, axes, of);
    const row first = tables<float>(positions(3, at[1]), chunks, of);
    for (std::size_t pair = 4; pair < 10; ++pair) r[pair] = first[pair - 4];
    return r;
  };
  EXPECT_EQ(broken_by(faulty, chunks), names{"text"});
}

/// Pixtral's columns with the even frequencies of its rows are Qwen2-VL's.
TEST(RopeAxesLaws, EncodersOfImagesAreToldApart) {
  const rope_axes_source<float> faulty = [](const positions& at, const rope_axes&, const rope& of) {
    return tables<float>(at, qwen_vision, of);
  };
  EXPECT_EQ(broken_by(faulty, pixtral), names{"text"});
}

TEST(RopeAxesLaws, RefuseARowOfAnotherLength) {
  EXPECT_THROW(rope_axes_laws<float>[0].measure(
                   [](const positions&, const rope_axes&, const rope&) { return row{}; }, chunks, config),
               std::invalid_argument);
  EXPECT_THROW(rope_axes_rows(chunks, config).row<float>({1, 2}), std::invalid_argument);
  EXPECT_THROW(rope_axes_rows({axis_rule::mrope, {1, 1, 1}}, config), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
