// Laws of learned positions: they hold for the checked table, and each fails on a lookup with the fault that
// it is for.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "law/broken_laws.hpp"
#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::learned_laws_test {
namespace {

using example::names;
using row = std::optional<std::vector<std::uint64_t>>;

constexpr learned config{.max_position_embeddings = 16, .d_model = 3};

std::vector<std::uint64_t> weights() {
  std::vector<std::uint64_t> r;
  for (int i = 0; i < 48; ++i) r.push_back(to_bits(static_cast<float>(i)));
  return r;
}

/// The table's own checked lookup, of another position than the one asked for, cut to `width` channels.
template <class Position>
learned_lookup lookup_of(Position position_of, std::size_t width = 3) {
  return [=](std::int64_t position) -> row {
    const auto wide = weights();
    const std::vector<std::uint32_t> entries(wide.begin(), wide.end());
    try {
      const auto found = learned_table<float>(config, entries).row(position_of(position)).first(width);
      return std::vector<std::uint64_t>(found.begin(), found.end());
    } catch (const std::invalid_argument&) {
      return std::nullopt;
    }
  };
}

names broken(const learned_lookup& lookup) {
  return example::broken(learned_laws::all, held_learned_rows{ROPEWALK_F32, config, weights(), lookup});
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

}  // namespace
}  // namespace ropewalk::learned_laws_test
