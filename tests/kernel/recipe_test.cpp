// Recipes give what their descriptions say: entries computed with MPFR, each step rounded as described.

#include "kernel/recipe/recipes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/recipe/nearest_cos_sin.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::test {
namespace {

using recipe::frequencies;
using recipe::known_recipe;

constexpr rope usual{.base = 10000, .rotary_dim = 128};

const known_recipe& recipe_named(std::string_view name) {
  const auto all = recipe::known_recipes();
  const auto match =
      std::find_if(all.begin(), all.end(), [&](const known_recipe& recipe) { return recipe.name == name; });
  EXPECT_NE(match, all.end()) << name;
  return *match;
}

struct known_entry {
  const char* recipe;
  std::int64_t position;
  std::size_t pair;
  double factor;
  std::uint32_t cos;
  std::uint32_t sin;
};

// Of base 10000 and 64 pairs.
constexpr known_entry known_entries[] = {
    {"recipe-hf-f32", 4099, 1, 1.0, 0x3f6a991a, 0xbeccefc4},
    {"recipe-hf-f32", 131071, 20, 1.0, 0x3f622770, 0x3eefeb65},
    {"recipe-hf-f32", -131071, 20, 1.25, 0x3f8d58a6, 0xbf15f31f},
    {"recipe-hf-f32", 2147483647, 40, 1.25, 0xbf874611, 0xbf2ae461},
    {"recipe-ggml", 4099, 1, 1.0, 0x3f6a991a, 0xbeccefc4},
    {"recipe-ggml", 131071, 20, 1.0, 0x3f617282, 0x3ef290cc},
    {"recipe-ggml", -131071, 20, 1.25, 0x3f8ce791, 0xbf179a80},
    {"recipe-ggml", 2147483647, 40, 1.25, 0x3f95a9f8, 0xbee24c8f},
    {"recipe-bf16-cache", 4099, 1, 1.0, 0x3f6b0000, 0xbecd0000},
    {"recipe-bf16-cache", 131071, 20, 1.0, 0x3f620000, 0x3ef00000},
    {"recipe-bf16-cache", -131071, 20, 1.25, 0x3f8d0000, 0xbf160000},
    {"recipe-bf16-cache", 2147483647, 40, 1.25, 0xbf870000, 0xbf2b0000},
    {"recipe-bf16-angle", 4099, 1, 1.0, 0xbed50000, 0x3f690000},
    {"recipe-bf16-angle", 131071, 20, 1.0, 0xbf3b0000, 0x3f2f0000},
    {"recipe-bf16-angle", -131071, 20, 1.25, 0xbf6a0000, 0xbf5b0000},
    {"recipe-bf16-angle", 2147483647, 40, 1.25, 0x3f2c0000, 0x3f870000},
    {"recipe-f64", 4099, 1, 1.0, 0x3f6a95b7, 0xbeccff48},
    {"recipe-f64", 131071, 20, 1.0, 0x3f6229de, 0x3eefe23c},
    {"recipe-f64", -131071, 20, 1.25, 0x3f8d5a2b, 0xbf15ed66},
    {"recipe-f64", 2147483647, 40, 1.25, 0xbf81ac90, 0xbf3b73e8},
};

TEST(Recipe, GivesTheEntriesOfItsDescription) {
  for (const known_entry& entry : known_entries) {
    frequencies from = recipe::from_config(usual);
    from.attention_factor = entry.factor;
    std::array<float, 64> cos{}, sin{};
    recipe_named(entry.recipe).row(from, entry.position, false, cos.data(), sin.data());
    EXPECT_EQ(to_bits(cos[entry.pair]), entry.cos) << entry.recipe << " at " << entry.position;
    EXPECT_EQ(to_bits(sin[entry.pair]), entry.sin) << entry.recipe << " at " << entry.position;
  }
}

TEST(Recipe, WideRowsOfBinary64AreItsOwn) {
  frequencies from = recipe::from_config(usual);
  std::array<double, 64> cos{}, sin{};
  recipe_named("recipe-f64").wide_row(from, 131071, false, cos.data(), sin.data());
  EXPECT_EQ(to_bits(cos[20]), 0x3fec453bc29a28afu);
  EXPECT_EQ(to_bits(sin[20]), 0x3fddfc47836e33e7u);
  from.attention_factor = 1.25;
  recipe_named("recipe-f64").wide_row(from, 2147483647, false, cos.data(), sin.data());
  EXPECT_EQ(to_bits(cos[40]), 0xbff035920a2a55c5u);
  EXPECT_EQ(to_bits(sin[40]), 0xbfe76e7cf57ecd5au);
}

TEST(Recipe, WideRowsOfTheOthersAreTheirRowsWidened) {
  frequencies from = recipe::from_config(usual);
  from.attention_factor = 1.25;
  for (const known_recipe& known : recipe::known_recipes()) {
    if (known.name == "recipe-f64") continue;
    std::array<float, 64> cos{}, sin{};
    std::array<double, 64> wide_cos{}, wide_sin{};
    known.row(from, 777, false, cos.data(), sin.data());
    known.wide_row(from, 777, false, wide_cos.data(), wide_sin.data());
    EXPECT_TRUE(std::equal(cos.begin(), cos.end(), wide_cos.begin())) << known.name;
    EXPECT_TRUE(std::equal(sin.begin(), sin.end(), wide_sin.begin())) << known.name;
  }
}

TEST(Recipe, UnitLeavesTheAttentionFactorOut) {
  frequencies from = recipe::from_config(usual), plain = from;
  from.attention_factor = 1.25;
  for (const known_recipe& known : recipe::known_recipes()) {
    std::array<float, 64> cos{}, sin{}, plain_cos{}, plain_sin{};
    known.row(from, 777, true, cos.data(), sin.data());
    known.row(plain, 777, false, plain_cos.data(), plain_sin.data());
    EXPECT_EQ(cos, plain_cos) << known.name;
    EXPECT_EQ(sin, plain_sin) << known.name;
    known.row(from, 777, false, cos.data(), sin.data());
    EXPECT_NE(cos, plain_cos) << known.name;
  }
}

TEST(RecipeFrequencies, OfResolvedNumbersAreThoseOfTheConfiguration) {
  for (const rope& config : {usual, rope{.base = 500000,
                                    .rotary_dim = 128,
                                    .scaling = llama3{.factor = 8,
                                               .low_freq_factor = 1,
                                               .high_freq_factor = 4,
                                               .original_max_position_embeddings = 8192}}}) {
    const frequencies known = recipe::from_config(config);
    const frequencies resolved = recipe::from_resolved(known.inv_freq, known.attention_factor);
    EXPECT_EQ(resolved.single_inv_freq, known.single_inv_freq);
    EXPECT_EQ(resolved.theta_scale, known.theta_scale);
    EXPECT_EQ(resolved.divisor, known.divisor);
  }
}

TEST(RecipeFrequencies, APairThatStandsStillIsDividedByInfinity) {
  const std::vector<double> inv_freq = {1, 0.5, 0};
  const frequencies from = recipe::from_resolved(inv_freq, 1);
  EXPECT_EQ(from.divisor, (std::vector<float>{1, 1, std::numeric_limits<float>::infinity()}));
  for (const known_recipe& known : recipe::known_recipes()) {
    std::array<float, 3> cos{}, sin{};
    known.row(from, 5, false, cos.data(), sin.data());
    EXPECT_EQ(cos[2], 1) << known.name;
    EXPECT_EQ(sin[2], 0) << known.name;
  }
}

/// theta_scale of 48 pairs: the exponent -2 / 96 is itself rounded.
TEST(RecipeFrequencies, ThetaScaleIsAPowerOfARoundedExponent) {
  EXPECT_EQ(to_bits(recipe::from_config({.base = 10000, .rotary_dim = 96}).theta_scale), 0x3f534db0u);
  EXPECT_EQ(to_bits(recipe::from_config(usual).theta_scale), 0x3f5dafd7u);
  EXPECT_EQ(recipe::from_config({.base = 65536, .rotary_dim = 4}).theta_scale, 0x1p-8f);
}

TEST(RecipeFrequencies, ABaseThatBinary32DoesNotHoldIsInfiniteOrOne) {
  const auto large = recipe::hugging_face_inv_freqs({.base = 1e300, .rotary_dim = 4});
  EXPECT_EQ(*large, (std::vector<float>{1, 0}));
  EXPECT_EQ(recipe::from_config({.base = 1e300, .rotary_dim = 4}).theta_scale, 0);
  const rope slow{.base = 1 + 0x1p-30, .rotary_dim = 96};
  EXPECT_EQ(recipe::from_config(slow).theta_scale, 1);
  EXPECT_EQ(recipe::hugging_face_inv_freqs(slow)->back(), 1);
}

TEST(RecipeFrequencies, HuggingFaceRoundsEachOperation) {
  const auto inv_freq = recipe::hugging_face_inv_freqs(usual);
  ASSERT_TRUE(inv_freq);
  EXPECT_EQ(to_bits(inv_freq->at(7)), 0x3ebaf81bu) << "correctly rounded it is 3ebaf81a";
  EXPECT_EQ(to_bits(inv_freq->at(20)), 0x3d6655c2u) << "correctly rounded it is 3d6655c3";
  EXPECT_EQ(to_bits(recipe::from_config(usual).single_inv_freq[7]), 0x3ebaf81au);
  const auto third = recipe::hugging_face_inv_freqs({.base = 10000, .rotary_dim = 96});
  EXPECT_EQ(to_bits(third->at(16)), 0x3d3e1e95u);
  EXPECT_EQ(to_bits(third->at(47)), 0x38fe1363u);
  EXPECT_EQ(third->at(24), 1 / 100.0f) << "10000^(1/2) is exact";
}

TEST(RecipeFrequencies, HuggingFaceBlendsAsLlama3Says) {
  const rope config{.base = 500000,
                    .rotary_dim = 128,
                    .scaling = llama3{.factor = 8,
                                      .low_freq_factor = 1,
                                      .high_freq_factor = 4,
                                      .original_max_position_embeddings = 8192}};
  const auto inv_freq = recipe::hugging_face_inv_freqs(config);
  ASSERT_TRUE(inv_freq);
  const std::pair<std::size_t, std::uint32_t> known[] = {{1, 0x3f508ac1},  {28, 0x3b527720}, {29, 0x3b0dfd06},
                                                         {31, 0x3a60979e}, {33, 0x39a3f108}, {35, 0x38c86886},
                                                         {63, 0x34a4c2ff}};
  for (const auto& [pair, bits] : known) EXPECT_EQ(to_bits(inv_freq->at(pair)), bits) << pair;
}

TEST(RecipeFrequencies, HuggingFaceDividesByALinearFactorAndLeavesOtherRulesOut) {
  const auto linearly =
      recipe::hugging_face_inv_freqs({.base = 10000, .rotary_dim = 128, .scaling = linear{.factor = 4}});
  EXPECT_EQ(to_bits(linearly->at(7)), 0x3ebaf81bu - (2u << 23));
  EXPECT_FALSE(
      recipe::hugging_face_inv_freqs({.base = 10000, .rotary_dim = 128, .scaling = ntk{.factor = 4}}));
}

/// The C library's values do not decide these roundings; the expected bits are MPFR's.
TEST(NearestCosSin, DecidesExactlyWhereTheLibraryDoesNot) {
  const float angles[] = {from_bits<float>(0x42378db8), from_bits<float>(0x424790ce)};
  const std::uint32_t cos[] = {0xbea87a07, 0x3f6e4c01}, sin[] = {0x3f71be54, 0xbebb16d3};
  for (int i = 0; i < 2; ++i) {
    const recipe::cos_sin_of<float> point = recipe::nearest_cos_sin(angles[i]);
    EXPECT_EQ(to_bits(point.cos), cos[i]);
    EXPECT_EQ(to_bits(point.sin), sin[i]);
  }
}

TEST(NearestCosSin, OfManyAnglesIsThatOfEach) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{50'000}}) {
    std::vector<float> angles(count), cos(count), sin(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits =
          static_cast<std::uint32_t>(random());  // every exponent, infinities and NaN among them
      angles[i] = i % 2 == 0 ? from_bits<float>(bits)
                             : std::ldexp(static_cast<float>(static_cast<std::int32_t>(bits)),
                                          -static_cast<int>(bits & 63));
    }
    recipe::nearest_cos_sin(angles, cos.data(), sin.data());
    for (std::size_t i = 0; i < count; ++i) {
      const recipe::cos_sin_of<float> wanted = recipe::nearest_cos_sin(angles[i]);
      ASSERT_EQ(to_bits(cos[i]), to_bits(wanted.cos)) << angles[i];
      ASSERT_EQ(to_bits(sin[i]), to_bits(wanted.sin)) << angles[i];
    }
  }
}

TEST(NearestCosSin, HasNoValueAtAnAngleThatIsNotFinite) {
  const auto infinite = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(recipe::nearest_cos_sin(infinite).cos));
  EXPECT_TRUE(std::isnan(recipe::nearest_cos_sin(double{infinite}).sin));
  EXPECT_TRUE(std::isnan(recipe::nearest_cos_sin_narrowed(infinite, 1).sin));
  EXPECT_EQ(to_bits(recipe::nearest_cos_sin(-0.0f).sin), to_bits(-0.0f));
}

/// The kernels with rows of their own; recipe-hf-eager, the last, has those of recipe-hf-f32.
std::span<const ropewalk_kernel> kernels_of_recipes() {
  EXPECT_EQ(recipe_kernels().size(), recipe::recipe_count + 1);
  EXPECT_EQ(recipe_kernels().back().name, std::string_view("recipe-hf-eager"));
  EXPECT_EQ(promise_of(recipe_kernels().back()), promise::hf);
  return recipe_kernels().first(recipe::recipe_count);
}

/// (1, 0) rotated is (cos, sin), and the canonical rotation adds no error.
TEST(RecipeKernels, TurnByTheirRows) {
  const rotation_case rotation{.encoding = usual,
                               .layout = {.head_dim = 128},
                               .tokens = 1,
                               .query_heads = 1,
                               .key_heads = 0,
                               .positions = {131071}};
  tensors in{std::vector<std::uint64_t>(128, 0), {}};
  std::fill_n(in.query.begin(), 64, to_bits(1.0f));
  for (const ropewalk_kernel& kernel : kernels_of_recipes()) {
    const known_recipe& known = recipe_named(kernel.name);
    EXPECT_EQ(promise_of(kernel), known.promised);
    std::array<float, 64> cos{}, sin{};
    known.row(recipe::from_config(usual), 131071, false, cos.data(), sin.data());
    laid_out memory(rotation, in);
    const planned plan(kernel, rotation);
    ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    const tensors got = memory.read();
    for (std::size_t pair = 0; pair < 64; ++pair) {
      EXPECT_EQ(got.query[pair], to_bits(cos[pair])) << kernel.name;
      EXPECT_EQ(got.query[pair + 64], to_bits(sin[pair])) << kernel.name;
    }
  }
}

/// In binary64 too, where rows are the recipe's own or widened.
TEST(RecipeKernels, TurnBinary64ByWideRows) {
  const rotation_case rotation{.encoding = usual,
                               .layout = {.head_dim = 128},
                               .dtype = ROPEWALK_F64,
                               .tokens = 1,
                               .query_heads = 1,
                               .key_heads = 0,
                               .positions = {131071}};
  tensors in{std::vector<std::uint64_t>(128, 0), {}};
  std::fill_n(in.query.begin(), 64, to_bits(1.0));
  for (const ropewalk_kernel& kernel : kernels_of_recipes()) {
    std::array<double, 64> cos{}, sin{};
    recipe_named(kernel.name).wide_row(recipe::from_config(usual), 131071, false, cos.data(), sin.data());
    laid_out memory(rotation, in);
    const planned plan(kernel, rotation);
    ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    EXPECT_EQ(memory.read().query[20], to_bits(cos[20])) << kernel.name;
  }
}

}  // namespace
}  // namespace ropewalk::test
