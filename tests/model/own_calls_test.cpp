// The calls that kernels on models of images are asked, with tokens where the model places them.

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "model/model.hpp"

namespace ropewalk::model {
namespace {

TEST(OwnCalls, EveryModelOfImagesHasSomeOfUnlikeSizes) {
  for (const std::string& name : image_catalogue_names()) {
    const model of = catalogue_model(name);
    const std::vector<input::axis_positions> calls = own_calls(of);
    EXPECT_FALSE(calls.empty()) << name;
    std::set<std::int64_t> sizes;
    for (const input::axis_positions& one : calls) {
      EXPECT_EQ(one.axes, of.axes.count) << name;
      EXPECT_GE(one.tokens(), 10) << name;
      sizes.insert(one.tokens());
    }
    EXPECT_GE(sizes.size(), 2u) << name;
  }
}

TEST(OwnCalls, OfSequencesThereAreNone) { EXPECT_TRUE(own_calls(catalogue_model("llama-3.1-8b")).empty()); }

TEST(OwnCalls, CentresAreTheirQuotientsInBinary64) {
  const std::vector<input::axis_positions> calls = own_calls(catalogue_model("dinov3-vitl16"));
  const input::axis_positions& first = calls.at(0);  // 3 rows of 5 patches
  ASSERT_TRUE(first.is_real());
  ASSERT_EQ(first.tokens(), 15);
  for (std::int64_t token = 0; token < 15; ++token) {
    const auto at = static_cast<std::size_t>(token);
    const auto row = static_cast<double>(token / 5), column = static_cast<double>(token % 5);
    EXPECT_EQ(first.real[at], (2 * row + 1 - 3) / 3);
    EXPECT_EQ(first.real[15 + at], (2 * column + 1 - 5) / 5);
  }
}

TEST(OwnCalls, OfAGridAreThatGrid) {
  const grid::request asked{.picture = {2, 3, 4}};
  const model of = with_grid(catalogue_model("wan-2.1-14b"), asked);
  const std::vector<input::axis_positions> calls = own_calls(of);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls.front().of, of.placed_tokens->of);
}

}  // namespace
}  // namespace ropewalk::model
