#include "ropewalk/numeric/exact_sum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

using boost::multiprecision::cpp_int;

/// The number in units of the smallest subnormal.
template <class Float>
cpp_int in_smallest_subnormals(bits_of<Float> bits) {
  const decoded parts = decode<Float>(bits);
  const cpp_int size = cpp_int(parts.significand) << (parts.exponent - format<Float>::smallest_ulp_exponent);
  return parts.negative ? cpp_int(-size) : size;
}

template <class Float>
std::vector<bits_of<Float>> finite_numbers(int count) {
  return *rc::gen::container<std::vector<bits_of<Float>>>(
      static_cast<std::size_t>(count), rc::gen::suchThat(rc::gen::arbitrary<bits_of<Float>>(),
                                                         [](auto bits) { return is_finite<Float>(bits); }));
}

template <class Float>
void dot_is_that_of_integers() {
  const auto a = finite_numbers<Float>(6), b = finite_numbers<Float>(6);
  exact_sum<Float> sum;
  cpp_int expected = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum.add_product(a[i], b[i]);
    expected += in_smallest_subnormals<Float>(a[i]) * in_smallest_subnormals<Float>(b[i]);
  }
  RC_ASSERT(sum.sign() == expected.sign());
  for (std::size_t i = 0; i < a.size(); ++i) sum.subtract_product(b[i], a[i]);
  RC_ASSERT(sum.sign() == 0);
}

RC_GTEST_PROP(ExactSum, Binary64ProductsAddUpExactly, ()) { dot_is_that_of_integers<double>(); }
RC_GTEST_PROP(ExactSum, Binary32ProductsAddUpExactly, ()) { dot_is_that_of_integers<float>(); }
RC_GTEST_PROP(ExactSum, Binary16ProductsAddUpExactly, ()) { dot_is_that_of_integers<binary16>(); }
RC_GTEST_PROP(ExactSum, Bfloat16ProductsAddUpExactly, ()) { dot_is_that_of_integers<bfloat16>(); }

TEST(ExactSum, CancellationLeavesTheSmallestProduct) {
  exact_sum<double> sum;
  sum.add_product(to_bits(0x1p1023), to_bits(0x1p1000));
  sum.add_product(to_bits(0x1p-1074), to_bits(0x1p-1074));
  sum.subtract_product(to_bits(0x1p1023), to_bits(0x1p1000));
  EXPECT_EQ(sum.sign(), 1);
  EXPECT_EQ(compare(sum.value<2>(), enclosure<2>::of(0x1p-1074) * enclosure<2>::of(0x1p-1074)), order::equal);
}

TEST(ExactSum, ABorrowGoesThroughEveryWord) {
  exact_sum<double> sum;
  sum.subtract_product(to_bits(0x1p-1074), to_bits(0x1p-1074));
  EXPECT_EQ(sum.sign(), -1);
  EXPECT_EQ(compare(sum.value<2>(), -(enclosure<2>::of(0x1p-1074) * enclosure<2>::of(0x1p-1074))),
            order::equal);
  sum.add_product(to_bits(0x1p-1074), to_bits(0x1p-1074));
  EXPECT_EQ(sum.sign(), 0);
  const std::uint64_t long_one = to_bits(0x1.fffffffffffffp0);  // whose square lies in three words
  sum.add_product(long_one, long_one);
  EXPECT_EQ(
      compare(sum.value<2>(), enclosure<2>::of(0x1.fffffffffffffp0) * enclosure<2>::of(0x1.fffffffffffffp0)),
      order::equal);
}

TEST(ExactSum, NormsOfPermutedNumbersAreEqualAndNeighboursAreNot) {
  const std::vector<std::uint32_t> a{to_bits(3.0f), to_bits(4e-30f), to_bits(1e30f)};
  std::vector<std::uint32_t> b{to_bits(1e30f), to_bits(-3.0f), to_bits(4e-30f)};
  EXPECT_EQ(compare_norms<float>(a.data(), b.data(), 3), 0);
  ++b[2];
  EXPECT_EQ(compare_norms<float>(a.data(), b.data(), 3), -1);
}

TEST(ExactSum, DotOfShortNumbersIsExact) {
  const std::vector<std::uint16_t> a{to_bits(from_bits<binary16>(0x3c00)), 0x4000}, b{0x4200, 0xbc00};
  EXPECT_EQ(compare(dot<2, binary16>(a.data(), b.data(), 2), enclosure<2>::of(1)), order::equal);
}

}  // namespace
}  // namespace ropewalk
