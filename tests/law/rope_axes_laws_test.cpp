// The laws of several axes hold for the tables, and each law fails on rows with the matching fault.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "law/broken_laws.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk::rope_axes_laws_test {
namespace {

using example::names;
using row = std::vector<cos_sin_entry>;
using positions = std::vector<std::int32_t>;

constexpr rope config{.rotary_dim = 32};
constexpr rope_axes chunks = mrope(4, 6, 6), strides = mrope_interleaved(6, 5, 5), of_pixtral = pixtral(16),
                    of_qwen = qwen_vision(16), text{}, own = own_axes(4, 6, 6);

/// Several positions: neighbours, distant ones and a negative one.
const listed_positions tried{{3, 0, 1, 2, 17, 1000, 131071, -5}};

names broken_by(const rope_axes_source& source, const rope_axes& axes, ropewalk_dtype dtype = ROPEWALK_F32) {
  return example::broken(axes_laws::all, checked_axes_rows{dtype, source, axes, config}, tried);
}

template <floating_format Float>
row tables(const positions& token, const rope_axes& axes, const rope& encoding) {
  return widened_pairs(rope_axes_rows(axes, encoding).row<Float>(token));
}

TEST(RopeAxesLaws, HoldForTheTablesInEveryFormat) {
  for_each_format([]<class Float>() {
    for (const rope_axes& axes : {chunks, strides, of_pixtral, of_qwen, text, own})
      EXPECT_EQ(broken_by(tables<Float>, axes, dtype_of<Float>), names{}) << name_of(axes);
  });
}

/// Both layouts give a text token the same row. Only a token with different positions on its axes shows the
/// fault.
TEST(RopeAxesLaws, ChunksWhereStridesAreAskedForBreakOwnAxis) {
  const rope_axes_source faulty = [](const positions& token, const rope_axes&, const rope& encoding) {
    return tables<float>(token, mrope(6, 5, 5), encoding);
  };
  EXPECT_EQ(broken_by(faulty, strides), names{"own-axis"});
}

TEST(RopeAxesLaws, HeightAndWidthExchangedBreakOwnAxis) {
  const rope_axes_source faulty = [](positions token, const rope_axes& axes, const rope& encoding) {
    std::swap(token[token.size() - 1], token[token.size() - 2]);
    return tables<float>(token, axes, encoding);
  };
  for (const rope_axes& axes : {chunks, strides, of_pixtral, of_qwen})
    EXPECT_EQ(broken_by(faulty, axes), names{"own-axis"}) << name_of(axes);
}

TEST(RopeAxesLaws, TimeForEveryPairBreaksOwnAxis) {
  const rope_axes_source faulty = [](positions token, const rope_axes& axes, const rope& encoding) {
    std::fill(token.begin(), token.end(), token.front());
    return tables<float>(token, axes, encoding);
  };
  EXPECT_EQ(broken_by(faulty, chunks), names{"own-axis"});
}

/// A fault: the frequencies of one axis start from the first again, as if its section were a separate rope.
/// Each pair still uses the right axis.
TEST(RopeAxesLaws, FrequenciesOfAnotherPairBreakText) {
  const rope_axes_source faulty = [](const positions& token, const rope_axes& axes, const rope& encoding) {
    row result = tables<float>(token, axes, encoding);
    const row first = tables<float>(positions(3, token[1]), chunks, encoding);
    for (std::size_t pair = 4; pair < 10; ++pair) result[pair] = first[pair - 4];
    return result;
  };
  EXPECT_EQ(broken_by(faulty, chunks), names{"text"});
}

/// Qwen2-VL's encoder gives columns the same even-numbered frequencies as rows; Pixtral gives columns the
/// odd-numbered ones.
TEST(RopeAxesLaws, ImageEncodersAreDistinguished) {
  const rope_axes_source faulty = [](const positions& token, const rope_axes&, const rope& encoding) {
    return tables<float>(token, of_qwen, encoding);
  };
  EXPECT_EQ(broken_by(faulty, of_pixtral), names{"text"});
}

/// A fault: exponents are counted over the whole head, although each axis counts its own.
TEST(RopeAxesLaws, ExponentsOverTheHeadBreakText) {
  const rope_axes_source faulty = [](const positions& token, const rope_axes&, const rope& encoding) {
    return tables<float>(token, chunks, encoding);
  };
  EXPECT_EQ(broken_by(faulty, own), names{"text"});
}

TEST(RopeAxesLaws, RefuseARowOfAnotherLength) {
  const rope_axes_source empty_source = [](const positions&, const rope_axes&, const rope&) { return row{}; };
  EXPECT_THROW(axes_laws::text.measure({ROPEWALK_F32, empty_source, chunks, config}, tried),
               std::invalid_argument);
  EXPECT_THROW(rope_axes_rows(chunks, config).row<float>({1, 2}), std::invalid_argument);
  EXPECT_THROW(rope_axes_rows(mrope(1, 1, 1), config), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::rope_axes_laws_test
