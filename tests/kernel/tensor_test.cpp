// Views of tensors: which may overlap, which are the same, and which have separate elements.

#include "ropewalk/kernel/tensor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "ropewalk/kernel/overlap.hpp"

namespace ropewalk::test {
namespace {

float floats[4096];

tensor_view view(std::int64_t offset, std::vector<std::int64_t> shape, std::vector<std::int64_t> stride) {
  ropewalk_tensor tensor{floats + 2048 + offset, ROPEWALK_F32, 3, {}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    tensor.shape[i] = shape[i];
    tensor.stride[i] = stride[i];
  }
  return view_of(tensor, "tensor");
}

std::multiset<const std::byte*> elements(const tensor_view& v) {
  std::multiset<const std::byte*> elements;
  for (std::int64_t token = 0; token < v.tokens(); ++token)
    for (std::int64_t head = 0; head < v.heads(); ++head)
      for (std::int64_t channel = 0; channel < v.channels(); ++channel)
        elements.insert(v.head(0, token, head) + channel * v.stride[3]);
  return elements;
}

TEST(Tensor, QueryAndKeyPackedInOneTokenDoNotOverlap) {
  const auto query = view(0, {5, 2, 8}, {32, 8, 1}), key = view(16, {5, 1, 8}, {32, 8, 1});
  EXPECT_FALSE(may_overlap(query, key));
  EXPECT_FALSE(may_overlap(key, query));
  EXPECT_TRUE(may_overlap(query, view(15, {5, 1, 8}, {32, 8, 1}))) << "one channel too early";
  EXPECT_TRUE(may_overlap(query, view(25, {5, 1, 8}, {32, 8, 1})))
      << "the last channel is the next token's first";
}

TEST(Tensor, EvenAndOddChannelsDoNotOverlap) {
  EXPECT_FALSE(may_overlap(view(0, {3, 2, 4}, {16, 8, 2}), view(1, {3, 2, 4}, {16, 8, 2})));
}

TEST(Tensor, NeighboursDoNotOverlapAndOneSharedElementDoes) {
  EXPECT_FALSE(may_overlap(view(0, {2, 2, 4}, {8, 4, 1}), view(16, {2, 2, 4}, {8, 4, 1})));
  EXPECT_TRUE(may_overlap(view(0, {2, 2, 4}, {8, 4, 1}), view(15, {2, 2, 4}, {8, 4, 1})));
  EXPECT_FALSE(may_overlap(view(0, {2, 2, 4}, {-8, 4, 1}), view(8, {2, 2, 4}, {8, 4, 1})));
  EXPECT_TRUE(may_overlap(view(0, {2, 2, 4}, {-8, 4, 1}), view(7, {2, 2, 4}, {8, 4, 1})));
}

TEST(Tensor, StridesOfExtentsOfOneDoNotCount) {
  EXPECT_TRUE(same_view(view(0, {1, 2, 4}, {1000, 4, 1}), view(0, {1, 2, 4}, {-3, 4, 1})));
  EXPECT_FALSE(same_view(view(0, {2, 2, 4}, {8, 4, 1}), view(0, {2, 2, 4}, {9, 4, 1})));
}

TEST(Tensor, AnswersOfRandomViewsAreNeverWrongTheDangerousWay) {
  std::mt19937_64 random(1);
  const auto number = [&](std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  };
  int apart = 0, separate = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto any = [&] {
      const std::int64_t period = 1 + number(24);
      return view(number(60), {1 + number(4), 1 + number(3), 1 + number(4)},
                  {number(2) != 0 ? period : number(40) - 20, number(24) - 6, number(4) - 1});
    };
    const auto a = any(), b = any();
    const auto in_a = elements(a), in_b = elements(b);
    const bool shares =
        std::any_of(in_a.begin(), in_a.end(), [&](const std::byte* at) { return in_b.count(at) != 0; });
    if (!may_overlap(a, b)) {
      ++apart;
      ASSERT_FALSE(shares) << i;
    }
    if (has_separate_elements(a)) {
      ++separate;
      ASSERT_EQ(std::set(in_a.begin(), in_a.end()).size(), in_a.size()) << i;
    }
  }
  EXPECT_GT(apart, 2000);
  EXPECT_GT(separate, 2000);
}

TEST(Tensor, DenseTensorsArePlainWithPaddingBetweenTokensAndRowsToo) {
  tensor_view v;
  const auto is_plain = [&](const ropewalk_tensor& tensor) {
    return ropewalk::detail::read_plain(tensor, "t", v);
  };
  EXPECT_TRUE(is_plain({floats, ROPEWALK_F32, 3, {512, 32, 128}, {4096, 128, 1}}));
  EXPECT_TRUE(is_plain({floats, ROPEWALK_BF16, 4, {2, 512, 32, 128}, {512 * 4096, 4096, 128, 1}}));
  EXPECT_TRUE(is_plain({floats, ROPEWALK_F16, 3, {512, 32, 128}, {3 * 4096, 128, 1}}))
      << "query of a packed row";
  EXPECT_TRUE(is_plain({floats, ROPEWALK_F64, 4, {2, 3, 1, 5}, {17, 5, -9, 1}}))
      << "one head: its stride is not read";
  EXPECT_TRUE(is_plain({floats, ROPEWALK_F32, 3, {1, 32, 128}, {-1, 128, 1}})) << "one token";
}

TEST(Tensor, OneWithoutElementsHasNoStrides) {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;
  const tensor_view v =
      ropewalk::view_of({floats, ROPEWALK_F32, 4, {3, 0, 32, 128}, {far, -far, far, far}}, "t");
  EXPECT_TRUE(is_empty(v));
  EXPECT_EQ(v.stride, (std::array<std::int64_t, 4>{}));
}

// Whatever is plain, the slow way reads alike; what it refuses is never plain.
TEST(Tensor, PlainTensorsAreReadAsAllOthersAre) {
  std::mt19937_64 random(2);
  const auto one_of = [&](std::vector<std::int64_t> from) { return from[random() % from.size()]; };
  constexpr std::int64_t far = std::int64_t{1} << 32, farthest = std::numeric_limits<std::int64_t>::max();
  int plain = 0, refused = 0;
  for (int i = 0; i < 200000; ++i) {
    ropewalk_tensor tensor{floats,
                           static_cast<std::int32_t>(one_of({0, 1, 2, 3, 3, 4, -1})),
                           static_cast<std::int32_t>(one_of({3, 4, 4, 3, 2, 5})),
                           {},
                           {}};
    if (random() % 64 == 0) tensor.data = nullptr;
    if (random() % 64 == 0) tensor.data = reinterpret_cast<void*>(std::uintptr_t(-64));
    const auto sum = [](std::int64_t a, std::int64_t b) {  // modulo 2^64
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    };
    std::int64_t dense = 1;
    for (int axis = 3; axis >= 0; --axis) {
      tensor.shape[axis] = one_of({1, 1, 2, 3, 5, 8, 16});
      if (random() % 32 == 0) tensor.shape[axis] = one_of({0, -1, 1 << 20, (1 << 20) + 1, far, farthest});
      tensor.stride[axis] = dense;
      const std::int64_t back = sum(~dense, 1);  // -dense
      if (random() % 16 == 0)
        tensor.stride[axis] = sum(dense, one_of({-1, 1, 7, back, sum(far - 1, back), far, -far}));
      if (random() % 128 == 0) tensor.stride[axis] = one_of({0, farthest, -farthest, farthest / 8});
      dense = static_cast<std::int64_t>(static_cast<std::uint64_t>(dense) *
                                        static_cast<std::uint64_t>(tensor.shape[axis]));
    }
    if (tensor.rank == 3) {
      std::copy_n(tensor.shape + 1, 3, tensor.shape);
      std::copy_n(tensor.stride + 1, 3, tensor.stride);
    }
    tensor_view quick;
    const bool is_plain = ropewalk::detail::read_plain(tensor, "t", quick);
    try {
      const tensor_view slow = view_of(tensor, "t");
      if (!is_plain) continue;
      ++plain;
      ASSERT_TRUE(same_view(quick, slow)) << i;
      ASSERT_EQ(quick.name, slow.name);
      ASSERT_EQ(quick.rank, slow.rank);
      ASSERT_EQ(quick.lowest, slow.lowest) << i;
      ASSERT_EQ(quick.highest, slow.highest) << i;
      ASSERT_TRUE(has_separate_elements(slow)) << i;
    } catch (const refused_call& refusal) {
      ++refused;
      ASSERT_FALSE(is_plain) << i << ": " << refusal.what();
    }
  }
  EXPECT_GT(plain, 10000);
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace ropewalk::test
