// Rows of weights permuted from one pairing to the other: literal orders, unchanged scores, refusals.

#include "ropewalk/encoding/pairing_permutation.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

std::vector<int> permuted(std::vector<int> rows, std::size_t width, int rotary_dim, int head_dim,
                          pairing from, pairing to) {
  return permute_pairing<int>(rows, width, rotary_dim, {.head_dim = head_dim, .pairing_in = from}, to);
}

TEST(PairingPermutation, RowsAreInTheOrderOfHuggingFacesConversion) {
  std::vector<int> rows(16);
  std::iota(rows.begin(), rows.end(), 0);
  EXPECT_EQ(permuted(rows, 1, 8, 8, pairing::interleaved, pairing::half_split),
            (std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15}));
  EXPECT_EQ(permuted(rows, 1, 8, 8, pairing::half_split, pairing::interleaved),
            (std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15}));
}

TEST(PairingPermutation, ChannelsThatDoNotRotateStay) {
  std::vector<int> rows(6);
  std::iota(rows.begin(), rows.end(), 0);
  EXPECT_EQ(permuted(rows, 1, 4, 6, pairing::interleaved, pairing::half_split),
            (std::vector<int>{0, 2, 1, 3, 4, 5}));
}

TEST(PairingPermutation, ChannelsMoveWithinThoseThatRotate) {
  std::vector<int> rows(12);
  std::iota(rows.begin(), rows.end(), 0);
  const head_layout last{.head_dim = 12, .pairing_in = pairing::interleaved, .rotary_begin = 8};
  EXPECT_EQ(permute_pairing<int>(rows, 1, 4, last, pairing::half_split),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9, 11}));
}

TEST(PairingPermutation, WholeRowsMove) {
  EXPECT_EQ(permuted({1, 2, 3, 4, 5, 6, 7, 8}, 2, 4, 4, pairing::interleaved, pairing::half_split),
            (std::vector<int>{1, 2, 5, 6, 3, 4, 7, 8}));
}

TEST(PairingPermutation, SamePairingChangesNothing) {
  EXPECT_EQ(permuted({1, 2, 3, 4}, 1, 4, 4, pairing::half_split, pairing::half_split),
            (std::vector<int>{1, 2, 3, 4}));
}

/// The score is unchanged if query and key are both permuted and rotated in the other pairing. Without the
/// permutation it changes.
TEST(PairingPermutation, ScoresStayWhatTheyWere) {
  using real = enclosure<4>;
  const rope config{.rotary_dim = 8};
  const std::vector<int> query{3, 1, -4, 1, 5, -9, 2, 6}, key{2, 7, 1, 8, -2, 8, 1, -8};
  const auto score = [&](const std::vector<int>& q, const std::vector<int>& k, pairing layout) {
    const rotation_matrix<4> apart(config, 11);  // R(5)^T R(16)
    real sum = real::of(0);
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        sum = sum + real::of(q[static_cast<std::size_t>(row)]) * apart.at(row, column, layout) *
                        real::of(k[static_cast<std::size_t>(column)]);
    return round<double>(sum).bits;
  };
  const auto halves = [](const std::vector<int>& head) {
    return permuted(head, 1, 8, 8, pairing::interleaved, pairing::half_split);
  };
  EXPECT_EQ(score(query, key, pairing::interleaved), score(halves(query), halves(key), pairing::half_split));
  EXPECT_NE(score(query, key, pairing::interleaved), score(query, key, pairing::half_split));
}

TEST(PairingPermutation, RefusesAnotherNumberOfWeights) {
  EXPECT_THROW(permuted({1, 2, 3}, 1, 4, 4, pairing::interleaved, pairing::half_split),
               std::invalid_argument);
  EXPECT_THROW(permuted({1, 2, 3, 4}, 0, 4, 4, pairing::interleaved, pairing::half_split),
               std::invalid_argument);
  EXPECT_THROW(permuted({1, 2, 3, 4}, 1, 8, 4, pairing::interleaved, pairing::half_split),
               std::invalid_argument);
  for (const std::size_t width : {std::size_t{1} << 62, (std::size_t{1} << 62) + 1})
    EXPECT_THROW(permuted({1, 2, 3, 4}, width, 4, 4, pairing::interleaved, pairing::half_split),
                 std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
