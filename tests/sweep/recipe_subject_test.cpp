#include "sweep/recipe_subject.hpp"

#include <gtest/gtest.h>

#include "input/bad_input.hpp"
#include "judged.hpp"
#include "kernel/recipe/element.hpp"
#include "kernel/recipe/recipes.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::sweep {
namespace {

/// Entries of a recipe's rows, in a format, that differ from correctly rounded ones, each by exact
/// arithmetic.
template <floating_format Float>
std::int64_t wrong_by_exact_arithmetic(const std::string& name, const rope& config,
                                       position_range positions) {
  const recipe::frequencies from = recipe::from_config(config);
  const rope_rows right_rows(config);
  std::vector<float> cos(static_cast<std::size_t>(pair_count(config))), sin(cos.size());
  std::int64_t wrong = 0;
  for (const recipe::known_recipe& known : recipe::known_recipes()) {
    if (known.name != name) continue;
    for (std::int64_t position = positions.begin; position < positions.end; ++position) {
      known.row(from, position, false, cos.data(), sin.data());
      for (int pair = 0; pair < pair_count(config); ++pair) {
        const auto right = right_rows.entry<Float>(pair, position, false);
        const auto at = static_cast<std::size_t>(pair);
        wrong +=
            (recipe::rounded<Float>(cos[at]) != right.cos) + (recipe::rounded<Float>(sin[at]) != right.sin);
      }
    }
  }
  return wrong;
}

TEST(RecipeSubject, WrongEntriesAreThoseThatExactArithmeticFinds) {
  const position_range positions{1000, 1400};
  for (const char* const name : {"recipe-hf-f32", "recipe-ggml", "recipe-f64"}) {
    const format_tally tally = judged(small_model(), ROPEWALK_F32, positions, *recipe_entries(name)).front();
    EXPECT_EQ(tally.entries, 2 * 400 * 8);
    EXPECT_EQ(tally.wrong, wrong_by_exact_arithmetic<float>(name, small_model().encoding, positions)) << name;
  }
  EXPECT_GT(judged(small_model(), ROPEWALK_F32, positions, *recipe_entries("recipe-hf-f32")).front().wrong,
            100);
  for (const char* const name : {"recipe-bf16-cache", "recipe-bf16-angle"}) {
    const format_tally tally = judged(small_model(), ROPEWALK_BF16, positions, *recipe_entries(name)).front();
    EXPECT_EQ(tally.wrong, wrong_by_exact_arithmetic<bfloat16>(name, small_model().encoding, positions))
        << name;
    EXPECT_GT(tally.wrong, 0);
  }
}

TEST(RecipeSubject, Binary64EntriesOfAnAngleInBinary64AreNearlyRight) {
  const format_tally tally =
      judged(small_model(), ROPEWALK_F64, {0, 50}, *recipe_entries("recipe-f64")).front();
  EXPECT_EQ(tally.entries, 2 * 50 * 8);
  EXPECT_GT(tally.wrong, 0);
  EXPECT_LT(tally.largest_error->error, 50 * 0x1p-53);
}

TEST(RecipeSubject, FormatsFinerThanTheRecipesOwnAreRefused) {
  EXPECT_EQ(dtype_of_recipe("recipe-hf-f32"), ROPEWALK_F32);
  EXPECT_EQ(dtype_of_recipe("recipe-bf16-cache"), ROPEWALK_BF16);
  const auto refused = [](const char* name, ropewalk_dtype dtype) {
    return refusal_of<bad_input>([&] {
      recipe_entries(name)->require_serves(work_range_of(small_model(), {dtype}, {0, 10}));
    });
  };
  EXPECT_NE(refused("recipe-hf-f32", ROPEWALK_F64).find("dtype is f64; allowed: f32, f16, bf16"),
            std::string::npos);
  EXPECT_NE(refused("recipe-bf16-angle", ROPEWALK_F32).find("allowed: bf16"), std::string::npos);
  EXPECT_EQ(refused("recipe-f64", ROPEWALK_F64), "");
  EXPECT_NE(refusal_of<std::invalid_argument>([] { recipe_entries("recipe-hf"); }).find("recipe-hf-f32"),
            std::string::npos);
}

}  // namespace
}  // namespace ropewalk::sweep
