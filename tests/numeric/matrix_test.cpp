// Matrices of integers: entries, products, refusals.

#include "ropewalk/numeric/matrix.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ropewalk {
namespace {

using whole = matrix<long>;

TEST(Matrix, EntriesAreReadRowAfterRow) {
  const whole x(2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(x.at(1, 0), 4);
  EXPECT_EQ(x.row(1)[2], 6);
  EXPECT_EQ(x.row(0).size(), 3u);
  EXPECT_EQ(whole(2, 2), whole(2, 2, {0, 0, 0, 0}));
  EXPECT_EQ(matrix_of(2, 3, [](int i, int j) { return 1L + 3 * i + j; }), x);
}

TEST(Matrix, ProductsAreThoseOfTheirRowsAndColumns) {
  const whole x(2, 2, {1, 2, 3, 4}), y(2, 3, {5, 6, 7, 8, 9, 10});
  EXPECT_EQ(x * y, whole(2, 3, {21, 24, 27, 47, 54, 61}));
  EXPECT_EQ(times_transposed(y, y), whole(2, 2, {110, 164, 164, 245}));
  EXPECT_EQ(transposed(y), whole(3, 2, {5, 8, 6, 9, 7, 10}));
  EXPECT_EQ(x + x, whole(2, 2, {2, 4, 6, 8}));
}

TEST(Matrix, MayBeEmpty) {
  EXPECT_EQ(whole().rows(), 0);
  EXPECT_EQ(times_transposed(whole(2, 0), whole(1, 0)), whole(2, 1));
}

TEST(Matrix, RefusesWhatDoesNotFit) {
  whole x(2, 3);
  EXPECT_THROW(whole(-1, 3), std::invalid_argument);
  EXPECT_THROW(whole(3, -1), std::invalid_argument);
  EXPECT_THROW(whole(2, 2, {1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(x.at(2, 0), std::invalid_argument);
  EXPECT_THROW(x.at(0, 3), std::invalid_argument);
  EXPECT_THROW(x.at(-1, 0) = 1, std::invalid_argument);
  EXPECT_THROW(x.row(2), std::invalid_argument);
  EXPECT_THROW(x * x, std::invalid_argument);
  EXPECT_THROW(x + whole(2, 2), std::invalid_argument);
  EXPECT_THROW(x + whole(1, 3), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
