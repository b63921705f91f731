// Views of tensors: which may overlap, which are the same, and which have separate elements.

#include "ropewalk/kernel/tensor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
  std::multiset<const std::byte*> r;
  for (std::int64_t token = 0; token < v.tokens(); ++token)
    for (std::int64_t head = 0; head < v.heads(); ++head)
      for (std::int64_t channel = 0; channel < v.channels(); ++channel)
        r.insert(v.head(0, token, head) + channel * v.stride[3]);
  return r;
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

}  // namespace
}  // namespace ropewalk::test
