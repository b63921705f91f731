// The kernels that stand for engines' own loops, bit for bit: recipe-ggml against the canonical rotation of
// each pair by its rows, recipe-hf-eager against the composition of operations that each round to the format.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/recipe/element.hpp"
#include "kernel/recipe/pair_loop.hpp"
#include "kernel/recipe/recipes.hpp"
#include "kernel/recipe/tensor_passes.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope_scaling.hpp"
#include "ropewalk/kernel/threads.hpp"

namespace ropewalk::test::recipe_loops {
namespace {

constexpr pairing each_pairing[] = {pairing::interleaved, pairing::half_split};
constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

/// Rows of a recipe, the sines negated where the case is backward.
class recipe_rows {
 public:
  recipe_rows(const rotation_case& rotation, std::string_view recipe) : flags_(rotation.flags) {
    const resolved_encoding encoding(rotation.encoding, rotation.layout);
    const ropewalk_rotation view = encoding.view();
    const auto pairs = static_cast<std::size_t>(view.rotary_dim / 2);
    from_ = recipe::from_resolved({view.inv_freq, pairs}, view.attention_factor);
    cos.resize(pairs);
    sin.resize(pairs);
    for (const recipe::known_recipe& known : recipe::known_recipes())
      if (known.name == recipe) recipe_ = &known;
  }

  void fill(std::int64_t position) {
    recipe_->row(from_, position, (flags_ & ROPEWALK_UNIT) != 0, cos.data(), sin.data());
    if ((flags_ & ROPEWALK_BACKWARD) != 0)
      for (float& sine : sin) sine = -sine;
  }

  std::vector<float> cos;
  std::vector<float> sin;

 private:
  std::uint32_t flags_;
  recipe::frequencies from_;
  const recipe::known_recipe* recipe_ = nullptr;
};

/// One pair as recipe-ggml turns it.
template <floating_format Float>
bits_pair<Float> turned_by_loop(bits_pair<Float> x, float cos, float sin) {
  using wide = rotation_format<Float>;
  return rotate_pair<Float>(x, {convert<wide, float>(to_bits(cos)), convert<wide, float>(to_bits(sin))});
}

/// One pair as recipe-hf-eager turns it: every operation in the data's format.
template <floating_format Float>
bits_pair<Float> turned_eagerly(bits_pair<Float> x, float cos, float sin) {
  const auto c = convert<Float, float>(to_bits(cos)), s = convert<Float, float>(to_bits(sin));
  const auto sum = [&](bits_of<Float> a, bits_of<Float> rotated) {
    return ropewalk::add<Float>(multiply<Float>(a, c), multiply<Float>(rotated, s));
  };
  return {sum(x.first, negate<Float>(x.second)), sum(x.second, x.first)};
}

/// A kernel and what it must give.
struct expectation {
  const char* kernel;
  const char* rows;
  template <floating_format Float>
  bits_pair<Float> turned(bits_pair<Float> x, float cos, float sin) const {
    return std::string_view(kernel) == "recipe-ggml" ? turned_by_loop<Float>(x, cos, sin)
                                                     : turned_eagerly<Float>(x, cos, sin);
  }
};

template <floating_format Float>
std::vector<std::uint64_t> wanted_of(const expectation& expectation, const rotation_case& rotation,
                                     const std::vector<std::uint64_t>& in, std::int64_t heads) {
  std::vector<std::uint64_t> out = in;
  recipe_rows row(rotation, expectation.rows);
  for (std::int64_t token = 0; token < rotation.batch * rotation.tokens; ++token) {
    row.fill(rotation.positions.empty() ? token % rotation.tokens
                                        : rotation.positions[static_cast<std::size_t>(token)]);
    for (std::int64_t head = token * heads; head < (token + 1) * heads; ++head)
      for (int pair = 0; pair < rotation.encoding.rotary_dim / 2; ++pair) {
        const auto channel = [&](int c) {
          return static_cast<std::size_t>(head * rotation.layout.head_dim + rotation.layout.rotary_begin + c);
        };
        const channel_pair from = channels_of(pair, rotation.encoding.rotary_dim, rotation.layout.pairing_in);
        const channel_pair to = channels_of(pair, rotation.encoding.rotary_dim, rotation.layout.pairing_out);
        const bits_pair<Float> y = expectation.turned<Float>(
            {static_cast<bits_of<Float>>(in[channel(from.first)]),
             static_cast<bits_of<Float>>(in[channel(from.second)])},
            row.cos[static_cast<std::size_t>(pair)], row.sin[static_cast<std::size_t>(pair)]);
        out[channel(to.first)] = y.first;
        out[channel(to.second)] = y.second;
      }
  }
  return out;
}

class RecipeLoops : public testing::TestWithParam<expectation> {
 protected:
  static const ropewalk_kernel& kernel() {
    const auto all = recipe_kernels();
    return *std::find_if(all.begin(), all.end(), [](const ropewalk_kernel& kernel) {
      return std::string_view(kernel.name) == GetParam().kernel;
    });
  }

  /// The kernel's bits, in calls of one thread and of three.
  static void expect_bits(const rotation_case& rotation) {
    std::mt19937_64 random(rotation.flags + static_cast<std::uint64_t>(rotation.layout.head_dim));
    const tensors in = random_tensors(rotation, random);
    const tensors wanted = with_format(rotation.dtype, [&]<class Float>() {
      return tensors{wanted_of<Float>(GetParam(), rotation, in.query, rotation.query_heads),
                     wanted_of<Float>(GetParam(), rotation, in.key, rotation.key_heads)};
    });
    const planned plan(kernel(), rotation);
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    for (const int threads : {1, 3}) {
      laid_out memory(rotation, in);
      ASSERT_EQ(apply_with_threads(kernel(), plan.plan(), memory.call, threads, &plan.error), ROPEWALK_OK)
          << plan.error.text;
      const tensors got = memory.read();
      EXPECT_EQ(first_difference(rotation.dtype, got.query, wanted.query), -1);
      EXPECT_EQ(first_difference(rotation.dtype, got.key, wanted.key), -1);
      EXPECT_TRUE(memory.guards_are_intact());
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, RecipeLoops,
                         testing::Values(expectation{"recipe-ggml", "recipe-ggml"},
                                         expectation{"recipe-hf-eager", "recipe-hf-f32"}),
                         [](const auto& value) {
                           return std::string_view(value.param.kernel) == "recipe-ggml" ? "Ggml" : "HfEager";
                         });

TEST_P(RecipeLoops, GiveTheirBitsForEveryDtypeAndPairing) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const pairing in : each_pairing)
      for (const pairing out : each_pairing)
        for (const bool in_place : {false, true}) {
          SCOPED_TRACE(std::string(name_of(dtype)) + ' ' + name_of(in) + ' ' + name_of(out) +
                       (in_place ? " in place" : ""));
          expect_bits({.encoding = {.base = 10000, .rotary_dim = 12},
                       .layout = {.head_dim = 17, .pairing_in = in, .pairing_out = out},
                       .dtype = dtype,
                       .tokens = 5,
                       .query_heads = 3,
                       .key_heads = 2,
                       .in_place = in_place});
        }
}

TEST_P(RecipeLoops, GiveTheirBitsInEveryArrangement) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const arrangement how : all_arrangements)
      for (const bool in_place : {false, true})
        for (const int begin : {0, 3})
          expect_bits({.layout = {.head_dim = 11, .pairing_in = pairing::interleaved, .rotary_begin = begin},
                       .dtype = dtype,
                       .batch = 2,
                       .how = how,
                       .in_place = in_place});
}

TEST_P(RecipeLoops, LeaveNoTailForAnyNumberOfPairs) {
  for (const int pairs : {1, 3, 4, 15, 16, 17, 63, 64, 65})
    for (const ropewalk_dtype dtype : all_dtypes)
      expect_bits({.encoding = {.base = 10000, .rotary_dim = 2 * pairs},
                   .layout = {.head_dim = 2 * pairs + pairs % 2,
                              .pairing_in = each_pairing[pairs % 2],
                              .pairing_out = each_pairing[pairs % 2]},
                   .dtype = dtype});
}

TEST_P(RecipeLoops, TurnByFlagsAndPositionsInsideAndOutsideTheFrequentOnes) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const std::uint32_t flags :
         {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_UNIT | ROPEWALK_BACKWARD})
      for (const position_range often :
           {position_range{}, {-3, 40}, {-largest - 1, std::int64_t{largest} + 1}})
        expect_bits({.encoding = {.base = 500000,
                                  .rotary_dim = 16,
                                  .scaling = yarn{.factor = 4, .original_max_position_embeddings = 8192}},
                     .layout = {.head_dim = 16},
                     .dtype = dtype,
                     .tokens = 8,
                     .flags = flags,
                     .positions = {0, 1, -1, -3, 39, 40, 131071, largest},
                     .often = often});
}

TEST(RecipeElement, WidensEveryBitPatternAndRoundsAsConvertDoes) {
  const auto expect_rounded = [](std::uint32_t bits) {
    const float value = from_bits<float>(bits);
    ASSERT_TRUE(same_bits<binary16>(recipe::rounded<binary16>(value), convert<binary16, float>(bits)))
        << bits;
    ASSERT_TRUE(same_bits<bfloat16>(recipe::rounded<bfloat16>(value), convert<bfloat16, float>(bits)))
        << bits;
  };
  for (std::uint32_t bits = 0; bits < 1 << 16; ++bits) {
    const auto narrow = static_cast<std::uint16_t>(bits);
    const float half = recipe::widened<binary16>(narrow, recipe::numbers_of_binary16());
    const float brain = recipe::widened<bfloat16>(narrow, nullptr);
    ASSERT_TRUE(same_bits<float>(to_bits(half), convert<float, binary16>(narrow))) << bits;
    ASSERT_TRUE(same_bits<float>(to_bits(brain), convert<float, bfloat16>(narrow))) << bits;
    for (const std::uint32_t wide : {to_bits(half), to_bits(brain)})
      for (const std::uint32_t midpoint : {0u, 0x1000u, 0x8000u})
        for (const std::uint32_t off : {0u, 1u, ~0u}) expect_rounded(wide + midpoint + off);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 1'000'000; ++i) expect_rounded(static_cast<std::uint32_t>(random()));
}

/// A head, at an odd address.
std::vector<std::byte> random_head(ropewalk_dtype dtype, int channels, std::mt19937_64& random) {
  std::vector<std::byte> head(1 + static_cast<std::size_t>(channels * size_of(dtype)));
  const auto elements = random_elements(dtype, static_cast<std::size_t>(channels), random);
  for (std::size_t i = 0; i < elements.size(); ++i)
    std::memcpy(head.data() + 1 + i * static_cast<std::size_t>(size_of(dtype)), &elements[i],
                static_cast<std::size_t>(size_of(dtype)));
  return head;
}

std::vector<std::uint64_t> elements_of_head(ropewalk_dtype dtype, const std::vector<std::byte>& head) {
  std::vector<std::uint64_t> elements((head.size() - 1) / static_cast<std::size_t>(size_of(dtype)));
  for (std::size_t i = 0; i < elements.size(); ++i)
    std::memcpy(&elements[i], head.data() + 1 + i * static_cast<std::size_t>(size_of(dtype)),
                static_cast<std::size_t>(size_of(dtype)));
  return elements;
}

/// The loops for this processor and for any give the same bits, for data at any address.
TEST(RecipeElement, LoopsDoNotDependOnTheProcessor) {
  std::mt19937_64 random(7);
  for (const ropewalk_dtype dtype : all_dtypes)
    for (int pairs = 1; pairs <= 65; ++pairs) {
      const auto x = random_head(dtype, 2 * pairs, random), by = random_head(dtype, 2 * pairs, random);
      std::vector<float> row;
      for (int i = 0; i < 2 * pairs; ++i) row.push_back(std::cos(static_cast<float>(i)));
      const auto expect_same = [&](auto apply) {
        std::vector<std::byte> here(x.size()), anywhere(x.size());
        apply(here.data() + 1, true);
        apply(anywhere.data() + 1, false);
        EXPECT_EQ(first_difference(dtype, elements_of_head(dtype, here), elements_of_head(dtype, anywhere)),
                  -1)
            << name_of(dtype) << ' ' << pairs;
      };
      for (const pairing paired : each_pairing)
        expect_same([&](std::byte* to, bool is_here) {
          (is_here ? recipe::pair_loop_of(dtype, paired) : recipe::portable_pair_loop_of(dtype, paired))(
              x.data() + 1, to, pairs, row.data());
        });
      for (const auto combine : {&recipe::tensor_passes::multiply, &recipe::tensor_passes::add})
        expect_same([&](std::byte* to, bool is_here) {
          const recipe::tensor_passes& passes =
              is_here ? recipe::tensor_passes_of(dtype) : recipe::portable_tensor_passes_of(dtype);
          (passes.*combine)(x.data() + 1, by.data() + 1, 2 * pairs, to);
        });
    }
}

}  // namespace
}  // namespace ropewalk::test::recipe_loops
