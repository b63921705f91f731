#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "ropewalk/kernel/dtype.hpp"
#include "search/number_bits.hpp"

namespace ropewalk::search {
namespace {

template <class Judge>
int count_of(ropewalk_dtype dtype, number_domain domain, Judge judge) {
  dice from{rc::Random(1)};
  int count = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t bits = draw_bits(from, dtype, domain);
    count += with_format(dtype, [&]<class Float>() {
      return judge.template operator()<Float>(static_cast<bits_of<Float>>(bits));
    });
  }
  return count;
}

TEST(NumberBits, DrawSubnormalsZerosAndLargeNumbers) {
  for (const ropewalk_dtype dtype : all_dtypes) {
    EXPECT_GT(count_of(dtype, number_domain::finite,
                       []<class Float>(bits_of<Float> bits) {
                         return magnitude<Float>(bits) != 0 &&
                                magnitude<Float>(bits) <= format<Float>::fraction_mask;
                       }),
              200)
        << name_of(dtype);
    EXPECT_GT(count_of(dtype, number_domain::finite,
                       []<class Float>(bits_of<Float> bits) { return magnitude<Float>(bits) == 0; }),
              20)
        << name_of(dtype);
    EXPECT_GT(count_of(dtype, number_domain::finite,
                       []<class Float>(bits_of<Float> bits) {
                         return magnitude<Float>(bits) ==
                                static_cast<bits_of<Float>>(format<Float>::infinity - 1);
                       }),
              5)
        << name_of(dtype);
  }
}

TEST(NumberBits, AreFiniteWhereThatIsAsked) {
  const auto is_wild = []<class Float>(bits_of<Float> bits) { return !is_finite<Float>(bits); };
  for (const ropewalk_dtype dtype : all_dtypes) {
    EXPECT_EQ(count_of(dtype, number_domain::finite, is_wild), 0) << name_of(dtype);
    EXPECT_GT(count_of(ROPEWALK_F16, number_domain::every_pattern, is_wild), 0);
  }
}

TEST(NumberBits, NonFiniteOnesHoldSignallingNans) {
  dice from{rc::Random(1)};
  std::set<bool> quiet;
  for (int i = 0; i < 100; ++i) {
    const auto bits = static_cast<std::uint32_t>(draw_non_finite(from, ROPEWALK_F32));
    EXPECT_FALSE(is_finite<float>(bits));
    if (is_nan<float>(bits)) quiet.insert((bits & 0x00400000) != 0);
  }
  EXPECT_EQ(quiet.size(), 2u);
}

TEST(NumberBits, FractionsLieBetweenMinusOneAndOne) {
  dice from{rc::Random(1)};
  for (int i = 0; i < 1000; ++i)
    EXPECT_LE(magnitude<float>(static_cast<std::uint32_t>(draw_scaled_fraction(from, ROPEWALK_F32, 0))),
              0x3f800000u);
}

TEST(NumberBits, TextIsHexadecimalWithTheBits) {
  EXPECT_EQ(text_of(ROPEWALK_F32, 0x40400000), "3 (0x1.8p+1)");
  EXPECT_EQ(text_of(ROPEWALK_F16, 0x8001), "-6e-08 (-0x1p-24)");
  EXPECT_EQ(text_of(ROPEWALK_BF16, 0x7f80), "inf");
  EXPECT_EQ(text_of(ROPEWALK_F64, 0x7ff0000000000001), "nan (0x7ff0000000000001)");
}

TEST(NumberBits, SimplerOnesBeginWithZeroAndOne) {
  const auto simpler = simpler_bits(ROPEWALK_F32, 0xc0490fdb);  // -pi
  ASSERT_GE(simpler.size(), 4u);
  EXPECT_EQ(simpler[0], 0u);
  EXPECT_EQ(simpler[1], 0x3f800000u);
  EXPECT_EQ(simpler[2], 0x40490fdbu);
}

RC_GTEST_PROP(NumberBits, ShrinkingEnds, ()) {
  std::uint64_t bits = *number_bits(ROPEWALK_F64, number_domain::every_pattern);
  int steps = 0;
  for (auto simpler = simpler_bits(ROPEWALK_F64, bits); !simpler.empty();
       simpler = simpler_bits(ROPEWALK_F64, bits)) {
    bits = simpler.back();  // the least simplification, every time
    RC_ASSERT(++steps < 200);
  }
  RC_ASSERT(bits == 0u);
}

}  // namespace
}  // namespace ropewalk::search
