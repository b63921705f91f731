// The kernel `exact` against MPFR: each finite output is the nearest number to a R(t) x.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "oracle/mpfr_number.hpp"
#include "oracle/rope_oracle.hpp"
#include "oracle/rounding.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/ulp.hpp"

namespace ropewalk::test {
namespace {

using oracle::bracket;
using oracle::mpfr_number;

constexpr mpfr_prec_t precision = 1024;

/// The value of an element, by way of binary64, the widest of the formats.
template <floating_format Float>
mpfr_number number_of(std::uint64_t element) {
  return {precision, from_bits<double>(convert<double, Float>(static_cast<bits_of<Float>>(element)))};
}

/// Frequencies and attention factor of one configuration, to 1024 bits.
class mpfr_rotation {
 public:
  explicit mpfr_rotation(const rotation_case& rotation) : rotation_(rotation), factor_(precision, 1.0) {
    if ((rotation.flags & ROPEWALK_UNIT) == 0)
      factor_ = oracle::attention_factor_bracket(rotation.encoding, precision).low;
    for (int pair = 0; pair < pair_count(rotation.encoding); ++pair)
      inv_freq_.push_back(oracle::inv_freq_bracket(pair, rotation.encoding, precision).low);
  }

  /// a (x0 cos t - x1 sin t) rounded, or with the sine first for the second channel.
  template <floating_format Float>
  bits_of<Float> output(std::uint64_t x0, std::uint64_t x1, int pair, std::int64_t position,
                        bool second) const {
    mpfr_number angle(precision), cos(precision), sin(precision), left(precision), right(precision);
    mpfr_mul_si(angle, inv_freq_[static_cast<std::size_t>(pair)], position, MPFR_RNDN);
    mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
    if ((rotation_.flags & ROPEWALK_BACKWARD) != 0) mpfr_neg(sin, sin, MPFR_RNDN);
    mpfr_mul(left, number_of<Float>(x0), second ? sin : cos, MPFR_RNDN);
    mpfr_mul(right, number_of<Float>(x1), second ? cos : sin, MPFR_RNDN);
    mpfr_number sum(precision);
    second ? mpfr_add(sum, left, right, MPFR_RNDN) : mpfr_sub(sum, left, right, MPFR_RNDN);
    mpfr_mul(sum, sum, factor_, MPFR_RNDN);
    // The error of every step is below 2^-900 of the larger product; no output here is nearer to a midpoint.
    return mpfr_zero_p(static_cast<mpfr_srcptr>(sum))
               ? bits_of<Float>{0}
               : oracle::round_to<Float>(static_cast<mpfr_srcptr>(sum));
  }

 private:
  const rotation_case& rotation_;
  mpfr_number factor_;
  std::vector<mpfr_number> inv_freq_;
};

tensors by_exact(const rotation_case& rotation, const tensors& in) {
  laid_out memory(rotation, in);
  const planned plan(exact_kernel(), rotation);
  EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  EXPECT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
  EXPECT_TRUE(memory.guards_are_intact());
  return memory.read();
}

template <floating_format Float>
void expect_nearest(const rotation_case& rotation, const tensors& in) {
  const std::vector<std::uint64_t> got = by_exact(rotation, in).query;
  const mpfr_rotation truth(rotation);
  int compared = 0;
  for (std::size_t token = 0; token < static_cast<std::size_t>(rotation.tokens); ++token)
    for (int pair = 0; pair < pair_count(rotation.encoding); ++pair) {
      const channel_pair at = channels_of(pair, rotation.encoding.rotary_dim, rotation.layout.pairing_in);
      const std::size_t first = token * static_cast<std::size_t>(rotation.layout.head_dim) +
                                static_cast<std::size_t>(rotation.layout.rotary_begin);
      const std::size_t i0 = first + static_cast<std::size_t>(at.first),
                        i1 = first + static_cast<std::size_t>(at.second);
      const std::uint64_t x0 = in.query[i0], x1 = in.query[i1];
      if (!is_finite<Float>(static_cast<bits_of<Float>>(x0)) ||
          !is_finite<Float>(static_cast<bits_of<Float>>(x1)))
        continue;
      const std::int64_t position = rotation.positions[token];
      EXPECT_EQ(got[i0], (truth.output<Float>(x0, x1, pair, position, false)))
          << "pair " << pair << " at " << position;
      EXPECT_EQ(got[i1], (truth.output<Float>(x0, x1, pair, position, true)))
          << "pair " << pair << " at " << position;
      ++compared;
    }
  EXPECT_GT(compared, 20);
}

const rope qwen{.base = 1000000,
                .rotary_dim = 32,
                .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}};

rotation_case far_and_near(ropewalk_dtype dtype, std::uint32_t flags) {
  return {.encoding = qwen,
          .layout = {.head_dim = 32, .pairing_in = pairing::interleaved, .pairing_out = pairing::interleaved},
          .dtype = dtype,
          .tokens = 8,
          .query_heads = 1,
          .key_heads = 0,
          .flags = flags,
          .positions = {0, 1, -1, 4097, 131071, 16777217, std::numeric_limits<std::int32_t>::max(),
                        std::numeric_limits<std::int32_t>::min()}};
}

template <class Float>
class Exact : public ::testing::Test {};
using all_formats = ::testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(Exact, all_formats);

TYPED_TEST(Exact, OutputsAreNearestToTheTruthOfMpfr) {
  std::mt19937_64 random(1);
  for (const std::uint32_t flags :
       {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_UNIT | ROPEWALK_BACKWARD}) {
    rotation_case rotation = far_and_near(dtype_of<TypeParam>, flags);
    expect_nearest<TypeParam>(rotation, random_tensors(rotation, random));
    rotation.layout.head_dim = 37, rotation.layout.rotary_begin = 3;
    expect_nearest<TypeParam>(rotation, random_tensors(rotation, random));
  }
}

TYPED_TEST(Exact, CancellationIsRoundedFromTheTruth) {
  // x = (RN(sin t), RN(cos t)), so that x0 cos t - x1 sin t consists of the two rounding errors alone.
  rotation_case rotation = far_and_near(dtype_of<TypeParam>, ROPEWALK_UNIT);
  const rope_rows rows(rotation.encoding);
  tensors in;
  for (const std::int32_t position : rotation.positions)
    for (int pair = 0; pair < rows.pairs(); ++pair) {
      const cos_sin_bits<TypeParam> entry = rows.entry<TypeParam>(pair, position, true);
      in.query.push_back(entry.sin);
      in.query.push_back(entry.cos);
    }
  expect_nearest<TypeParam>(rotation, in);
}

TEST(ExactZero, AFactorThatIsABinary64DecidesTiesAtPositionZero) {
  // 1.25 x 1.25 = 1.5625 is exact; 1.25 (1 + 2^-22) is a rounding midpoint and goes to even.
  rotation_case rotation{
      .encoding = {.base = 10000,
                   .rotary_dim = 2,
                   .scaling =
                       yarn{.factor = 4, .original_max_position_embeddings = 64, .attention_factor = 1.25}},
      .layout = {.head_dim = 2},
      .tokens = 1,
      .query_heads = 1,
      .key_heads = 0,
      .positions = {0}};
  const std::vector<std::uint64_t> got =
      by_exact(rotation, {{to_bits(1.25f), to_bits(0x1.000004p0f)}, {}}).query;
  EXPECT_EQ(got[0], to_bits(1.5625f));
  EXPECT_EQ(got[1], to_bits(0x1.400004p0f));
}

TEST(ExactZero, PositionZeroAndZeroInputs) {
  const rotation_case rotation{.encoding = {.base = 10000, .rotary_dim = 2},
                               .layout = {.head_dim = 2},
                               .tokens = 2,
                               .query_heads = 1,
                               .key_heads = 0,
                               .positions = {0, 5}};
  const std::vector<std::uint64_t> got =
      by_exact(rotation, {{0x00000001, 0x80000001, 0, 0x80000000}, {}}).query;
  EXPECT_EQ(got, (std::vector<std::uint64_t>{0x00000001, 0x80000001, 0, 0}));
}

TEST(ExactInfinity, FollowsTheSignsOfCosineAndSine) {
  const std::uint64_t inf = format<float>::infinity, minus_inf = inf | format<float>::sign_bit;
  const std::uint64_t nan = format<float>::quiet_nan, bits = to_bits(1.0f);
  // Position 2 of frequency 1: cos < 0 < sin.
  const rotation_case rotation{.encoding = {.base = 10000, .rotary_dim = 2},
                               .layout = {.head_dim = 2},
                               .tokens = 7,
                               .query_heads = 1,
                               .key_heads = 0,
                               .positions = {2, 2, 2, 2, 0, 0, 0}};
  const tensors in{{inf, bits, bits, inf, inf, inf, inf, minus_inf, inf, bits, nan, bits, inf, inf}, {}};
  const std::vector<std::uint64_t> got = by_exact(rotation, in).query;
  const std::vector<std::uint64_t> wanted{minus_inf, inf, minus_inf, minus_inf, minus_inf, nan, nan,
                                          inf,       inf, nan,       nan,       nan,       nan, nan};
  EXPECT_EQ(first_difference(ROPEWALK_F32, got, wanted), -1);
}

TEST(ExactAxes, EachPairTakesItsAxissPosition) {
  rotation_case rotation{.tokens = 2, .query_heads = 1, .key_heads = 0};
  std::mt19937_64 random(5);
  const tensors in = random_tensors(rotation, random);
  const resolved_encoding resolved(rotation.encoding, rotation.layout);
  ropewalk_rotation encoding = resolved.view();
  const std::int32_t axis[] = {1, 0, 1, 0}, positions[] = {10, 20, -3, 70000};
  encoding.axes = 2;
  encoding.axis = axis;
  const planned plan(exact_kernel(), encoding);
  laid_out memory(rotation, in);
  memory.call.tokens.positions = given_positions(positions, {2, 0, 1}, 2);
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
  const std::vector<std::uint64_t> got = memory.read().query;
  for (std::size_t count = 0; count < 2; ++count) {
    rotation.positions = {positions[2 * count], positions[2 * count + 1]};
    const std::vector<std::uint64_t> wanted = by_exact(rotation, in).query;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (axis[i % 4] == static_cast<std::int32_t>(count)) {
        EXPECT_TRUE(
            same_bits<float>(static_cast<std::uint32_t>(got[i]), static_cast<std::uint32_t>(wanted[i])))
            << i;
      }
  }
}

TEST(ExactPlan, CanonicalAndExactAreFewUlpApartWhereNothingCancels) {
  rotation_case rotation{
      .encoding = qwen, .layout = {.head_dim = 32}, .tokens = 64, .query_heads = 1, .key_heads = 0};
  std::mt19937_64 random(3);
  tensors in{std::vector<std::uint64_t>(element_count(rotation, 1)), {}};
  for (std::uint64_t& element : in.query) element = (random() & 0x7fffff) | 0x3f800000;
  const std::vector<std::uint64_t> truth = by_exact(rotation, in).query,
                                   bits_of_kernel = canonical(rotation, in).query;
  std::uint64_t equal = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) equal += truth[i] == bits_of_kernel[i] ? 1 : 0;
  EXPECT_GT(equal, truth.size() / 3);
  EXPECT_LT(equal, truth.size());
}

TEST(ExactPlan, TurnsOf128BitsServeBinary32AndSayWhenTheyCannotServeBinary64) {
  rotation_case rotation = far_and_near(ROPEWALK_F32, 0);
  std::mt19937_64 random(4);
  const tensors in = random_tensors(rotation, random);
  const resolved_encoding resolved(rotation.encoding, rotation.layout);
  ropewalk_rotation encoding = resolved.view();
  encoding.turns_256 = nullptr;
  const planned plan(exact_kernel(), encoding);
  laid_out memory(rotation, in);
  ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
  EXPECT_EQ(memory.read().query, by_exact(rotation, in).query);

  encoding.attention_real = {};
  const planned vague(exact_kernel(), encoding);
  rotation.dtype = ROPEWALK_F64;
  laid_out wide(rotation, random_tensors(rotation, random));
  EXPECT_EQ(vague.apply(wide.call), ROPEWALK_UNDECIDED);
  EXPECT_NE(vague.error.text[0], '\0');
}

}  // namespace
}  // namespace ropewalk::test
