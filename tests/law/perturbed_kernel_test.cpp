// Negative controls: a kernel that is correct except for one element. It passes just inside the bound and
// fails just outside.

#include <gtest/gtest.h>

#include <cstring>

#include "kernel/kernels.hpp"
#include "law/law_example.hpp"

namespace ropewalk::perturbed_kernel_test {
namespace {

/// The element of the rotated query that the next apply overwrites, and its new bits.
struct planted_element {
  std::int64_t channel = 0;
  std::uint64_t bits = 0;
};
planted_element planted;

ropewalk_kernel perturbed_kernel() {
  static const ropewalk_kernel right = cpu_table_kernel();
  ropewalk_kernel kernel = right;
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* call,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = right.apply(plan, call, error);
    const ropewalk_tensor query =
        read_struct<ropewalk_rotation_call>(call, ROPEWALK_ROTATE, "call").query_out;
    const auto size = static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(query.dtype)));
    auto* element =
        static_cast<unsigned char*>(query.data) + static_cast<std::size_t>(planted.channel) * size;
    std::memcpy(element, &planted.bits, size);
    return status;
  };
  return kernel;
}

constexpr int head_dim = 16;  // of the first example: default, half-split, attention factor 1

measurement measure_with(const law<checked_rotation>& law, promise promised, const law_case& test_case,
                         std::int64_t channel, std::uint64_t bits) {
  planted = {channel, bits};
  const example::encoding& from = example::encodings().front();
  const checked_rotation kernel(perturbed_kernel(), promised, from.config, from.layout);
  return measure(law, kernel, test_case);
}

/// (1, 0) in pair 0 at position 0: the exact output is (1, 0).
law_case one_at_position_zero(ropewalk_dtype dtype) {
  law_case test_case = example::single_head(dtype, head_dim, 0);
  test_case.query[0] = example::bits_near(dtype, 1);
  return test_case;
}

/// The largest number of the format not above a positive binary64.
std::uint64_t at_most(ropewalk_dtype dtype, double limit) {
  return with_format(dtype, [&]<class Float>() -> std::uint64_t {
    bits_of<Float> bits = convert<Float, double>(std::bit_cast<std::uint64_t>(limit));
    while (std::bit_cast<double>(convert<double, Float>(bits)) > limit) --bits;
    return bits;
  });
}

double relative_bound(ropewalk_dtype dtype, promise promised) {
  return with_format(dtype, [&]<class Float>() { return accuracy_bound<Float>(promised, 1, 0).relative; });
}

TEST(PerturbedKernel, PassesAccuracyWithAnErrorJustInsideTheBound) {
  for (const promise promised : {promise::canonical, promise::rounded_table})
    for (const ropewalk_dtype dtype : all_dtypes) {
      const std::uint64_t inside = at_most(dtype, relative_bound(dtype, promised));
      const measurement measured =
          measure_with(rotation_laws::accuracy, promised, one_at_position_zero(dtype), head_dim / 2, inside);
      EXPECT_TRUE(measured.holds) << name_of(dtype) << " " << measured.worst;
      EXPECT_GT(measured.worst, 0.99) << name_of(dtype);
    }
}

TEST(PerturbedKernel, FailsAccuracyOneUnitOutsideTheBound) {
  for (const promise promised : {promise::canonical, promise::rounded_table})
    for (const ropewalk_dtype dtype : all_dtypes) {
      const std::uint64_t outside = at_most(dtype, relative_bound(dtype, promised)) + 1;
      const measurement measured =
          measure_with(rotation_laws::accuracy, promised, one_at_position_zero(dtype), head_dim / 2, outside);
      // One unit is far more than the absolute part of the bound.
      EXPECT_FALSE(measured.holds) << name_of(dtype) << " " << measured.worst;
      EXPECT_EQ(measured.where.pair, 0);
    }
}

TEST(PerturbedKernel, AccuracyOfSubnormalsIsAbsolute) {
  // The input is 0, so the relative part of the bound is 0. The absolute part, sqrt 2 smallest subnormals,
  // allows one and not two.
  const law_case zeros = example::single_head(ROPEWALK_F32, head_dim, 5);
  EXPECT_TRUE(measure_with(rotation_laws::accuracy, promise::canonical, zeros, 0, 1).holds);
  EXPECT_FALSE(measure_with(rotation_laws::accuracy, promise::canonical, zeros, 0, 2).holds);
}

TEST(PerturbedKernel, CorrectRoundingForgivesNothing) {
  // The exact output is 1: half a spacing around it is less than the step to either neighbour.
  const law_case test_case = one_at_position_zero(ROPEWALK_F32);
  EXPECT_TRUE(measure_with(rotation_laws::accuracy, promise::exact, test_case, 0, 0x3f800000).holds);
  EXPECT_FALSE(measure_with(rotation_laws::accuracy, promise::exact, test_case, 0, 0x3f800001).holds);
  EXPECT_FALSE(measure_with(rotation_laws::accuracy, promise::exact, test_case, 0, 0x3f7fffff).holds);
}

TEST(PerturbedKernel, NormAllowsOneUnitAndNotTwo) {
  // An ulp of binary32 above 1 is 2 u, and the bound is 2.789 u.
  const law_case test_case = one_at_position_zero(ROPEWALK_F32);
  EXPECT_TRUE(measure_with(rotation_laws::norm, promise::canonical, test_case, 0, 0x3f800001).holds);
  EXPECT_FALSE(measure_with(rotation_laws::norm, promise::canonical, test_case, 0, 0x3f800002).holds);
}

TEST(PerturbedKernel, IdentityAllowsNothingButTheSignOfZero) {
  const law_case test_case = one_at_position_zero(ROPEWALK_F32);
  EXPECT_TRUE(measure_with(rotation_laws::identity, promise::canonical, test_case, 1, 0x80000000).holds);
  EXPECT_FALSE(measure_with(rotation_laws::identity, promise::canonical, test_case, 1, 1).holds);
}

TEST(PerturbedKernel, CanonicalTellsTheTwoZerosApart) {
  const law_case test_case = one_at_position_zero(ROPEWALK_F32);
  EXPECT_TRUE(measure_with(rotation_laws::canonical, promise::canonical, test_case, 1, 0).holds);
  EXPECT_FALSE(measure_with(rotation_laws::canonical, promise::canonical, test_case, 1, 0x80000000).holds);
}

TEST(PerturbedKernel, ScoresAreHeldToTheBoundOfTheirHead) {
  // q = k = (1, 0) in pair 0, both at position 0: the exact score is 1 and the score is the planted element.
  law_case test_case = one_at_position_zero(ROPEWALK_F64);
  test_case.key_heads = 1;
  test_case.key = test_case.query;
  const double bound = score_bound(accuracy_bound<double>(promise::canonical, 1, 0)).relative;
  const auto units = static_cast<std::uint64_t>(bound / 0x1p-52);  // whole spacings above 1 inside the bound
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(1.0);
  EXPECT_TRUE(
      measure_with(rotation_laws::relative_position, promise::canonical, test_case, 0, bits + units).holds);
  EXPECT_FALSE(
      measure_with(rotation_laws::relative_position, promise::canonical, test_case, 0, bits + units + 1)
          .holds);
}

TEST(PerturbedKernel, AScoreThatIsNotFiniteIsShownAsItIs) {
  // As above: the exact score is 1, that of backward too. The planted element, and so the score, is infinite.
  for (const law<checked_rotation>* law : {&rotation_laws::relative_position, &rotation_laws::adjoint}) {
    law_case test_case = one_at_position_zero(ROPEWALK_F16);
    test_case.key_heads = 1;
    test_case.key = test_case.query;
    const measurement measured =
        measure_with(*law, promise::canonical, test_case, 0, format<binary16>::infinity);
    EXPECT_FALSE(measured.holds) << law->name;
    ASSERT_EQ(measured.numbers.count, 1) << law->name;
    EXPECT_EQ(measured.numbers.expected[0], std::bit_cast<std::uint64_t>(1.0)) << law->name;
    EXPECT_EQ(measured.numbers.bits[0], format<double>::infinity) << law->name;
  }
}

TEST(PerturbedKernel, PassThroughTellsNansApart) {
  law_case test_case = example::single_head(ROPEWALK_F32, head_dim + 2, 3);
  test_case.query[head_dim] = 0x7f800001;  // signalling
  EXPECT_TRUE(
      measure_with(rotation_laws::pass_through, promise::canonical, test_case, head_dim, 0x7f800001).holds);
  EXPECT_FALSE(
      measure_with(rotation_laws::pass_through, promise::canonical, test_case, head_dim, 0x7fc00001).holds);
}

TEST(PerturbedKernel, IsSeenWhenItWritesBesideTheTensor) {
  const law_case test_case = one_at_position_zero(ROPEWALK_F32);
  const measurement measured =
      measure_with(rotation_laws::accuracy, promise::canonical, test_case, head_dim, 0x3f800000);
  EXPECT_FALSE(measured.holds);
  EXPECT_NE(measured.trouble.find("outside"), std::string::npos) << measured.trouble;
}

}  // namespace
}  // namespace ropewalk::perturbed_kernel_test
