// Laws of learned positions: they hold for the checked table, and each fails on a lookup with the fault that
// it is for.

#include "ropewalk/law/learned_laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

namespace ropewalk {
namespace {

using names = std::set<std::string_view>;
using row = std::optional<std::vector<std::uint32_t>>;

constexpr learned config{.max_position_embeddings = 16, .d_model = 3};

std::vector<std::uint32_t> weights() {
  std::vector<std::uint32_t> r;
  for (int i = 0; i < 48; ++i) r.push_back(to_bits(static_cast<float>(i)));
  return r;
}

/// The table's own checked lookup, of another position than the one asked for.
template <class Position>
learned_lookup<float> lookup_of(Position position_of) {
  return [position_of](std::int64_t position, const learned_table<float>& table) -> row {
    try {
      const auto found = table.row(position_of(position));
      return std::vector<std::uint32_t>(found.begin(), found.end());
    } catch (const std::invalid_argument&) {
      return std::nullopt;
    }
  };
}

names broken(const learned_lookup<float>& lookup) {
  const auto entries = weights();
  const learned_table<float> table(config, entries);
  names found;
  for (const auto& law : learned_laws<float>)
    if (!law.measure(lookup, table).holds) found.insert(law.name);
  return found;
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
  EXPECT_EQ(broken([](std::int64_t position, const learned_table<float>& table) -> row {
              if (position < 0 || position >= 16) return std::nullopt;
              const auto found = table.row(position).first(2);
              return std::vector<std::uint32_t>(found.begin(), found.end());
            }),
            names{"served"});
}

}  // namespace
}  // namespace ropewalk
