// Laws of learned positions: they hold for the checked table, and each fails on a lookup with the matching
// fault.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "law/broken_laws.hpp"
#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::learned_laws_test {
namespace {

using example::names;
using row = std::optional<std::vector<std::uint64_t>>;

constexpr learned config{.max_position_embeddings = 16, .d_model = 3};

/// The table's own checked lookup of position_of(position), cut to `width` channels.
template <class Position>
learned_source lookup_of(Position position_of, std::size_t width = 3) {
  return [=](const learned& learned, const std::vector<std::uint64_t>& weights) -> learned_lookup {
    return [=](std::int64_t position) -> row {
      const std::vector<std::uint32_t> entries(weights.begin(), weights.end());
      try {
        const auto value = learned_table<float>(learned, entries).row(position_of(position)).first(width);
        return std::vector<std::uint64_t>(value.begin(), value.end());
      } catch (const std::invalid_argument&) {
        return std::nullopt;
      }
    };
  };
}

names broken(const learned_source& source) {
  return example::broken(learned_laws::all, checked_learned_rows{ROPEWALK_F32, config, source});
}

TEST(LearnedLaws, HoldForTheCheckedTable) {
  EXPECT_EQ(broken(lookup_of([](std::int64_t p) { return p; })), names{});
}

TEST(LearnedLaws, AWrapBreaksRefused) {
  EXPECT_EQ(broken(lookup_of([](std::int64_t p) { return ((p % 16) + 16) % 16; })), names{"refused"});
}

TEST(LearnedLaws, AClampBreaksRefused) {
  EXPECT_EQ(broken(lookup_of([](std::int64_t p) { return std::clamp<std::int64_t>(p, 0, 15); })),
            names{"refused"});
}

TEST(LearnedLaws, A32BitPositionBreaksRefused) {
  EXPECT_EQ(broken(lookup_of([](std::int64_t p) { return std::int64_t{static_cast<std::int32_t>(p)}; })),
            names{"refused"});
}

TEST(LearnedLaws, AnOffsetBreaksBoth) {
  EXPECT_EQ(broken(lookup_of([](std::int64_t p) { return p + 2; })), (names{"refused", "served"}));
}

TEST(LearnedLaws, ARowOfAnotherWidthBreaksServed) {
  EXPECT_EQ(broken(lookup_of([](std::int64_t p) { return p; }, 2)), names{"served"});
}

/// A lookup that does arithmetic on its rows quiets their signalling NaNs.
TEST(LearnedLaws, SignallingNansThatAreQuietedBreakServed) {
  const learned_source quieting = [](const learned& learned, std::vector<std::uint64_t> weights) {
    for (std::uint64_t& bits : weights)
      if (is_nan<float>(static_cast<std::uint32_t>(bits))) bits |= 0x00400000;
    return lookup_of([](std::int64_t p) { return p; })(learned, std::move(weights));
  };
  constexpr learned wide{.max_position_embeddings = 2048, .d_model = 3};
  EXPECT_EQ(example::broken(learned_laws::all, checked_learned_rows{ROPEWALK_F32, wide, quieting}),
            names{"served"});
}

}  // namespace
}  // namespace ropewalk::learned_laws_test
