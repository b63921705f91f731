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
    const model model = catalogue_model(name);
    const std::vector<input::axis_positions> calls = own_calls(model);
    EXPECT_FALSE(calls.empty()) << name;
    std::set<std::int64_t> sizes;
    for (const input::axis_positions& call : calls) {
      EXPECT_EQ(call.axes, model.axes.count) << name;
      EXPECT_GE(call.tokens(), 10) << name;
      sizes.insert(call.tokens());
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
  const grid::request request{.picture = {2, 3, 4}};
  const model model = with_grid(catalogue_model("wan-2.1-14b"), request);
  const std::vector<input::axis_positions> calls = own_calls(model);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls.front().numbers, model.placed_tokens->numbers);
}

}  // namespace
}  // namespace ropewalk::model
