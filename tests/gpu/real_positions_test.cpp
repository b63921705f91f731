// Positions in binary64: vulkan-turns, vulkan-table and vulkan-sinusoidal-add against the definition and
// against MPFR, bit for bit.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_inputs.hpp"
#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "gpu/mpfr_words.hpp"
#include "gpu/turn_rows.hpp"
#include "gpu/watched_device.hpp"
#include "kernel/addition_case.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/table/sinusoidal_entry.hpp"

namespace ropewalk::test {
namespace {

constexpr double end_of_positions = 0x1p31;

/// A position of some kind: ordinary, near a whole number, of any magnitude down to the smallest, near 2^31,
/// a point of a grid, zero, or in quarters.
double random_real(std::mt19937_64& random) {
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const double sign = random() % 2 == 0 ? 1 : -1;
  switch (random() % 8) {
    case 0: {
      const std::uint64_t field = random() % 1054;  // below 2^31
      return sign * from_bits<double>(field << 52 | random() >> 12);
    }
    case 1: {
      const auto whole = static_cast<double>(random() % 5000);
      return sign * (whole + std::ldexp(sign, -static_cast<int>(random() % 60)));
    }
    case 2: return sign * (end_of_positions - std::ldexp(1 + unit(), -static_cast<int>(random() % 21)));
    case 3: return (static_cast<double>(random() % 64) + 0.5) / 64;
    case 4: return random() % 2 == 0 ? 0.0 : -0.0;
    case 5: return sign * static_cast<double>(random() % 1000) / 4;
    case 6: return sign * std::ldexp(unit(), static_cast<int>(random() % 32));
    default: return sign * unit() * 1000;
  }
}

/// A rotation whose pairs turn by real positions on several axes.
struct real_case {
  rotation_case shape;  // without positions
  int axes = 1;
  std::vector<std::int32_t> axis{};  // [pairs]
  std::vector<double> positions{};   // [axes][batch][tokens]

  std::size_t places() const { return static_cast<std::size_t>(shape.batch * shape.tokens); }
  ropewalk_positions given() const {
    return {ROPEWALK_POSITIONS_F64, axes, positions.data(), {shape.batch * shape.tokens, shape.tokens, 1}};
  }
};

real_case spread_over_axes(rotation_case shape, int axes, std::mt19937_64& random) {
  real_case test_case{.shape = std::move(shape), .axes = axes};
  for (int pair = 0; pair < test_case.shape.encoding.rotary_dim / 2; ++pair)
    test_case.axis.push_back(pair < axes ? pair % axes
                                         : static_cast<std::int32_t>(random() % static_cast<unsigned>(axes)));
  test_case.positions.resize(static_cast<std::size_t>(axes) * test_case.places());
  for (double& position : test_case.positions) position = random_real(random);
  return test_case;
}

/// The canonical bits of one tensor, from rows of the configuration itself.
template <floating_format Float>
std::vector<std::uint64_t> canonical(const real_case& test_case, const std::vector<std::uint64_t>& in,
                                     std::int64_t heads) {
  using wide = rotation_format<Float>;
  const rotation_case& shape = test_case.shape;
  const rope_rows rows(shape.encoding);
  std::vector<std::uint64_t> out = in;
  for (std::size_t token = 0; token < test_case.places(); ++token)
    for (int pair = 0; pair < rows.pairs(); ++pair) {
      const auto axis = static_cast<std::size_t>(test_case.axis[static_cast<std::size_t>(pair)]);
      const cos_sin_bits<wide> bits = rows.entry<wide>(
          pair, test_case.positions[axis * test_case.places() + token], (shape.flags & ROPEWALK_UNIT) != 0);
      bits_pair<wide> entry{bits.cos, bits.sin};
      if ((shape.flags & ROPEWALK_BACKWARD) != 0) entry = backward<wide>(entry);
      const channel_pair from = channels_of(pair, shape.encoding.rotary_dim, shape.layout.pairing_in);
      const channel_pair to = channels_of(pair, shape.encoding.rotary_dim, shape.layout.pairing_out);
      for (std::int64_t head = 0; head < heads; ++head) {
        const auto channel = [&](int c) {
          return (token * static_cast<std::size_t>(heads) + static_cast<std::size_t>(head)) *
                     static_cast<std::size_t>(shape.layout.head_dim) +
                 static_cast<std::size_t>(shape.layout.rotary_begin + c);
        };
        const auto y = rotate_pair<Float>({static_cast<bits_of<Float>>(in[channel(from.first)]),
                                           static_cast<bits_of<Float>>(in[channel(from.second)])},
                                          entry);
        out[channel(to.first)] = y.first;
        out[channel(to.second)] = y.second;
      }
    }
  return out;
}

tensors canonical(const real_case& test_case, const tensors& in) {
  return with_format(test_case.shape.dtype, [&]<class Float>() {
    return tensors{canonical<Float>(test_case, in.query, test_case.shape.query_heads),
                   canonical<Float>(test_case, in.key, test_case.shape.key_heads)};
  });
}

/// Expects the canonical bits from both rotations, and returns the number of entries of their rows.
std::size_t expect_canonical(const real_case& test_case, std::mt19937_64& random) {
  const tensors in = random_tensors(test_case.shape, random), wanted = canonical(test_case, in);
  const resolved_encoding resolved(test_case.shape.encoding, test_case.shape.layout);
  ropewalk_rotation encoding = resolved.view();
  encoding.axes = test_case.axes;
  encoding.axis = test_case.axis.data();
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    laid_out memory(test_case.shape, in);
    memory.call.tokens.positions = test_case.given();
    const planned plan(kernel, encoding);
    EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    EXPECT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
    const tensors got = memory.read();
    EXPECT_EQ(first_difference(test_case.shape.dtype, got.query, wanted.query), -1) << kernel.name;
    EXPECT_EQ(first_difference(test_case.shape.dtype, got.key, wanted.key), -1) << kernel.name;
    EXPECT_TRUE(memory.guards_are_intact());
  }
  return 2 * test_case.axis.size() * test_case.places();
}

TEST(VulkanRealPositions, EqualTheDefinitionOnOneToFourAxes) {
  const watched_device device;
  std::mt19937_64 random(41);
  std::size_t entries = 0;
  for (int axes = 1; axes <= 4; ++axes)
    for (const ropewalk_dtype dtype : dtypes)
      for (const pairing both : {pairing::interleaved, pairing::half_split})
        for (const int head_dim : {10, 21, 64}) {
          rotation_case shape{.dtype = dtype, .batch = 2, .tokens = 9};
          shape.encoding = {.base = head_dim == 64 ? 10000.0 : 100.0, .rotary_dim = head_dim / 2 * 2};
          shape.layout = {.head_dim = head_dim, .pairing_in = both, .pairing_out = both};
          shape.flags = head_dim == 21 ? ROPEWALK_BACKWARD : 0;
          entries += expect_canonical(spread_over_axes(shape, axes, random), random);
        }
  RecordProperty("entries", std::to_string(entries));
}

TEST(VulkanRealPositions, TakeAttentionFactorsAndEveryFlag) {
  const watched_device device;
  std::mt19937_64 random(42);
  for (const std::uint32_t flags :
       {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_BACKWARD | ROPEWALK_UNIT}) {
    rotation_case shape{.tokens = 24, .key_heads = 0};
    shape.encoding = {.base = 1000000, .rotary_dim = 64};
    shape.encoding.scaling = yarn{.factor = 40, .original_max_position_embeddings = 32768};
    shape.layout = {.head_dim = 70, .rotary_begin = 3};
    shape.flags = flags;
    expect_canonical(spread_over_axes(shape, 2, random), random);
  }
}

/// Staging, buffers that hold only a few tokens, and few workgroups on the first axis. Sines that are
/// subnormal are left to the host.
TEST(VulkanRealPositions, LimitsOfADeviceChangeNoBit) {
  std::mt19937_64 random(43);
  for (const vulkan::device_options& options :
       {vulkan::device_options{.forces_staging = true}, vulkan::device_options{.storage_buffer_bytes = 4096},
        vulkan::device_options{.workgroups = 3}}) {
    const watched_device device(options);
    for (const ropewalk_dtype dtype : dtypes) {
      rotation_case shape{.dtype = dtype, .tokens = 90, .query_heads = 4};
      shape.encoding = {.base = 10000, .rotary_dim = 64};
      shape.layout = {.head_dim = 64};
      expect_canonical(spread_over_axes(shape, 3, random), random);
    }
  }
}

/// From the smallest binary64 up, through every sine that is zero, subnormal or just normal.
TEST(VulkanRealPositions, AreRightDownToTheSmallest) {
  const watched_device device;
  std::mt19937_64 random(44);
  rotation_case shape{.dtype = ROPEWALK_F32, .query_heads = 1, .key_heads = 0};
  shape.encoding = {.base = 10000, .rotary_dim = 6};
  shape.layout = {.head_dim = 6};
  std::vector<double> positions{0, -0.0, std::numeric_limits<double>::denorm_min(),
                                -std::numeric_limits<double>::denorm_min(), 0x1.fffffffffffffp-1023};
  for (int exponent = -1074; exponent < -20; exponent += exponent < -160 || exponent > -110 ? 17 : 1)
    for (int i = 0; i < 4; ++i)
      positions.push_back(std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, exponent) *
                          (i % 2 == 0 ? 1 : -1));
  shape.tokens = static_cast<std::int64_t>(positions.size());
  const real_case test_case{.shape = shape, .axes = 1, .axis = {0, 0, 0}, .positions = std::move(positions)};
  expect_canonical(test_case, random);
}

/// Coordinates of images and times are decided on the device; the host is asked for a subnormal sine.
TEST(VulkanRealPositions, OrdinaryOnesAreDecidedOnTheDevice) {
  const watched_device device;
  const resolved_encoding resolved({.base = 10000, .rotary_dim = 64}, {.head_dim = 64});
  const rotation_plan plan(resolved.view());
  const vulkan::turn_source source(resolved.view(), plan);
  const auto on = vulkan::shared_device();
  const auto host_decides = [&](const std::vector<double>& positions) {
    vulkan::row_positions places{.is_real = true};
    for (const double position : positions) {
      const std::uint64_t bits = to_bits(position);
      places.words.insert(places.words.end(),
                          {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)});
    }
    vulkan::turn_source::rows rows(*on, source, places, positions.size(), false);
    vulkan::commands work(on->on());
    rows.record(work);
    work.run();
    return rows.decide_rest();
  };
  std::vector<double> ordinary;
  for (int i = 0; i < 2000; ++i) ordinary.insert(ordinary.end(), {(i + 0.5) / 2000, i * 0.04, i * -1e-7});
  EXPECT_FALSE(host_decides(ordinary));
  EXPECT_TRUE(host_decides({0x1p-127}));
}

/// The bits of a call on int32 positions are those of a call on the same numbers in binary64.
TEST(VulkanRealPositions, WholeOnesHaveTheBitsOfWholePositions) {
  const watched_device device;
  std::mt19937_64 random(45);
  std::vector<std::int32_t> whole{0, 1, -1, last_position, first_position + 1, 65536, -131072};
  while (whole.size() < 300) {
    const auto magnitude = static_cast<std::int32_t>(random() >> (33 + random() % 31));
    whole.push_back(random() % 2 == 0 ? magnitude : -magnitude);
  }
  const std::vector<double> real(whole.begin(), whole.end());
  for (const ropewalk_dtype dtype : dtypes) {
    rotation_case shape{.dtype = dtype, .tokens = static_cast<std::int64_t>(whole.size()), .key_heads = 0};
    shape.encoding = {.base = 500000, .rotary_dim = 128};
    shape.layout = {.head_dim = 128};
    const tensors in = random_tensors(shape, random);
    for (const ropewalk_kernel& kernel : vulkan_rotations()) {
      const planned plan(kernel, shape);
      laid_out by_whole(shape, in), by_real(shape, in);
      by_whole.call.tokens.positions = given_positions(whole.data());
      by_real.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, real.data(), {0, 0, 1}};
      ASSERT_EQ(plan.apply(by_whole.call), ROPEWALK_OK) << plan.error.text;
      ASSERT_EQ(plan.apply(by_real.call), ROPEWALK_OK) << plan.error.text;
      EXPECT_EQ(by_whole.read(), by_real.read()) << kernel.name;
    }
  }
}

/// A plan keeps its last rows: positions whose words agree, but not their kind, need others, and so do
/// subnormals that compare equal to zero where they are flushed.
TEST(VulkanRealPositions, OnePlanServesOneCallAfterAnother) {
  const watched_device device;
  std::mt19937_64 random(46);
  const rotation_case shape{.tokens = 1, .query_heads = 1, .key_heads = 0};
  rotation_case by_whole{.tokens = 2, .query_heads = 1, .key_heads = 0};
  by_whole.positions = {0, 0x40080000};  // the words of 3.0
  const tensors in = random_tensors(shape, random), in_of_whole = random_tensors(by_whole, random);
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    const planned plan(kernel, shape);
    for (int round = 0; round < 2; ++round) {
      laid_out memory(by_whole, in_of_whole);
      ASSERT_EQ(plan.apply(memory.call), ROPEWALK_OK) << plan.error.text;
      EXPECT_EQ(first_difference(shape.dtype, memory.read().query, canonical(by_whole, in_of_whole).query),
                -1)
          << kernel.name;
      for (const double position : {3.0, 0.0, -0.0, 0x1p-1030, 0x1p-1030, 2.5}) {
        const real_case test_case{.shape = shape, .axes = 1, .axis = {0, 0, 0, 0}, .positions = {position}};
        laid_out of_real(shape, in);
        of_real.call.tokens.positions = test_case.given();
        ASSERT_EQ(plan.apply(of_real.call), ROPEWALK_OK) << plan.error.text;
        EXPECT_EQ(first_difference(shape.dtype, of_real.read().query, canonical(test_case, in).query), -1)
            << kernel.name << ' ' << position;
      }
    }
  }
}

/// Pairs with any turns: a real number of 256 bits, or exactly a binary64.
struct turning_pairs {
  void add(const mpfr_number& turns, const ropewalk_real& real) {
    mpfr_number two_pi(precision), rate(precision), fraction(precision);
    mpfr_const_pi(two_pi, MPFR_RNDN);
    mpfr_mul_ui(two_pi, two_pi, 2, MPFR_RNDN);
    mpfr_mul(rate, turns, two_pi, MPFR_RNDN);
    inv_freq.push_back(mpfr_get_d(rate, MPFR_RNDN));
    mpfr_frac(fraction, turns, MPFR_RNDN);
    for (const auto& [words, count] : {std::pair{&turns_128, std::size_t{4}}, {&turns_256, std::size_t{8}}}) {
      const std::vector<std::uint32_t> more = fraction_words(fraction, count);
      words->insert(words->end(), more.begin(), more.end());
    }
    turns_real.push_back(real);
  }
  void add(const mpfr_number& turns) { add(turns, real_of(turns)); }
  void add(double turns) { add(mpfr_number(precision, turns), exact_real(turns)); }

  ropewalk_rotation view() const {
    ropewalk_rotation view = empty_encoding<rotate>();
    view.head_dim = view.rotary_dim = static_cast<std::int32_t>(2 * inv_freq.size());
    view.axes = 1;
    view.inv_freq = inv_freq.data();
    view.turns = turns_128.data();
    view.turns_256 = turns_256.data();
    view.turns_real = turns_real.data();
    view.attention_factor = factor;
    view.attention_real = factor_real;
    return view;
  }

  std::vector<double> inv_freq{};
  std::vector<std::uint32_t> turns_128{}, turns_256{};
  std::vector<ropewalk_real> turns_real{};
  double factor = 1;
  ropewalk_real factor_real{};
};

/// The vectors (1, -0) of all pairs, turned at positions: cosines and sines with their signs.
///
/// shape   [tokens, pairs, 2]
std::vector<float> turned(const planned& plan, const turning_pairs& pairs,
                          const ropewalk_positions& positions, std::size_t tokens) {
  const auto channels = static_cast<std::int64_t>(2 * pairs.inv_freq.size());
  std::vector<float> elements;
  for (std::size_t i = 0; i < tokens * pairs.inv_freq.size(); ++i)
    elements.insert(elements.end(), {1, -0.0f});
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {elements.data(),
                   ROPEWALK_F32,
                   3,
                   {static_cast<std::int64_t>(tokens), 1, channels},
                   {channels, channels, 1}};
  call.query_out = call.query_in;
  call.tokens.positions = positions;
  call.tokens.end = static_cast<std::int64_t>(tokens);
  EXPECT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
  return elements;
}

/// factor x cosine and factor x sine of position x turns, rounded once from MPFR's numbers. A zero that is
/// exact is +0.
std::pair<float, float> by_mpfr(const ropewalk_real& turns, double position, double factor) {
  constexpr mpfr_prec_t enough =
      600;  // 309 for the phase, as many as its whole turns have, and some to spare
  mpfr_number angle(enough), pi(enough), cosine(enough), sine(enough);
  const mpfr_number half(enough, 0.5);  // cosines and sines of quarter turns are 0 or 1 in magnitude
  mpfr_set_ui(angle, 0, MPFR_RNDN);
  for (int word = 7; word >= 0; --word) {
    mpfr_mul_2ui(angle, angle, 32, MPFR_RNDN);
    mpfr_add_ui(angle, angle, turns.significand[word], MPFR_RNDN);
  }
  mpfr_mul_2si(angle, angle, turns.exponent + 2, MPFR_RNDN);
  mpfr_mul_d(angle, angle, position, MPFR_RNDN);  // exact, in quarter turns
  const bool is_quarter = mpfr_integer_p(angle) != 0;
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_div_2ui(pi, pi, 1, MPFR_RNDN);
  mpfr_mul(angle, angle, pi, MPFR_RNDN);
  mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
  for (mpfr_number* result : {&cosine, &sine})
    if (is_quarter && mpfr_cmpabs(*result, half) < 0) mpfr_set_zero(*result, 1);
  for (mpfr_number* result : {&cosine, &sine}) mpfr_mul_d(*result, *result, factor, MPFR_RNDN);
  return {mpfr_get_flt(cosine, MPFR_RNDN), mpfr_get_flt(sine, MPFR_RNDN)};
}

/// Turns of 256 bits between 2^exponent and 2^(exponent + 1).
mpfr_number random_turns(int exponent, std::mt19937_64& random) {
  mpfr_number turns(256, 1 + static_cast<double>(random() >> 12) * 0x1p-52);
  for (int more = 1; more < 5; ++more) {
    mpfr_number bits(precision, static_cast<double>(random() >> 12));
    mpfr_mul_2si(bits, bits, -52 * (more + 1), MPFR_RNDN);
    mpfr_add(turns, turns, bits, MPFR_RNDN);
  }
  mpfr_mul_2si(turns, turns, exponent, MPFR_RNDN);
  return turns;
}

/// Compares every cosine and sine with MPFR's, and returns their number.
std::size_t expect_mpfr(const turning_pairs& pairs, const std::vector<double>& positions) {
  std::size_t different = 0, at = 0;
  const planned plan(vulkan_kernels()[0], pairs.view());
  EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  const std::vector<float> got =
      turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, positions.data(), {0, 0, 1}}, positions.size());
  for (const double position : positions)
    for (const ropewalk_real& turns : pairs.turns_real) {
      const auto [cosine, sine] = by_mpfr(turns, position, pairs.factor);
      different += to_bits(got[at++]) != to_bits(cosine);
      different += to_bits(got[at++]) != to_bits(sine);
    }
  EXPECT_EQ(different, 0u);
  return at;
}

/// Frequencies from the slowest that is served to 2^100 turns a unit, and positions of every magnitude: every
/// place at which the window of the turns may begin.
TEST(VulkanRealPositions, EqualMpfrForTurnsOfEveryMagnitude) {
  vulkan::wish_for({});
  std::mt19937_64 random(47);
  std::size_t entries = 0;
  for (int round = 0; round < 40; ++round) {
    turning_pairs pairs;
    for (int pair = 0; pair < 32; ++pair) {
      const int exponent = static_cast<int>(random() % (round % 4 == 0 ? 146 : 60)) - 46;
      if (pair % 4 == 0)
        pairs.add(std::ldexp(static_cast<double>(random() % 4096 + 1), exponent));
      else
        pairs.add(random_turns(exponent, random));
    }
    if (round % 3 == 0) {
      pairs.factor = 1 + static_cast<double>(random() >> 12) * 0x1p-53;
      pairs.factor_real = exact_real(pairs.factor);
    }
    std::vector<double> positions(40);
    for (double& position : positions) position = random_real(random);
    entries += expect_mpfr(pairs, positions);
  }
  EXPECT_GT(entries, 100'000u);
  RecordProperty("entries", std::to_string(entries));
}

/// Pairs so fast that they turn visibly at subnormal positions.
TEST(VulkanRealPositions, EqualMpfrAtSubnormalPositions) {
  vulkan::wish_for({});
  std::mt19937_64 random(53);
  turning_pairs pairs;
  for (int pair = 0; pair < 24; ++pair)
    pairs.add(random_turns(960 + static_cast<int>(random() % 60), random));
  std::vector<double> positions{0x1p-1022, -0x1p-1074, 0x1.8p-1021};
  while (positions.size() < 60) positions.push_back(from_bits<double>(random() >> (12 + random() % 50)));
  expect_mpfr(pairs, positions);
}

/// Beyond 2^118 turns, 256 bits may not say where in a turn a position is; exact turns do.
TEST(VulkanRealPositions, AreUndecidedWhereTheTurnsAreNotKnown) {
  const watched_device device;
  std::mt19937_64 random(54);
  turning_pairs unknown, known;
  unknown.add(random_turns(240, random));
  known.add(0x1.8p240);
  const double position = 3e8 + 0.1;
  const ropewalk_positions positions{ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}};
  float elements[] = {1, -0.0f};
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {elements, ROPEWALK_F32, 3, {1, 1, 2}, {2, 2, 1}};
  call.query_out = call.query_in;
  call.tokens.positions = positions;
  call.tokens.end = 1;
  const planned plan(vulkan_kernels()[0], unknown.view()), exact(vulkan_kernels()[0], known.view());
  EXPECT_EQ(plan.apply(call), ROPEWALK_UNDECIDED);
  EXPECT_STREQ(plan.error.field, "turns[0]");
  EXPECT_EQ(elements[0], 1);
  const std::vector<float> got = turned(exact, known, positions, 1);
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(to_bits(got[1]), to_bits(0.0f));
}

/// Turns for which a cosine or a sine at a real position lies near a rounding midpoint of binary32, or a
/// phase near a quarter turn: 2^-30 to 2^-140 of itself away, so that neither 64 nor 128 bits may decide.
TEST(VulkanRealPositions, EqualMpfrWhereRoundingsAreHard) {
  vulkan::wish_for({});
  std::mt19937_64 random(48);
  std::size_t different = 0;
  for (int i = 0; i < 4000; ++i) {
    double position = 0;
    while (std::abs(position) < 0x1p-40) position = random_real(random);
    turning_pairs pairs;
    const bool is_small = random() % 2 == 0;
    const int bits = static_cast<int>(30 + random() % 110);
    mpfr_number x(precision);
    if (i % 4 == 3) {
      mpfr_set_ui_2exp(x, random() % 4, -2, MPFR_RNDN);
      mpfr_number beside(precision, random() % 2 == 0 ? 1 : -1);
      mpfr_mul_2si(beside, beside, -bits, MPFR_RNDN);
      mpfr_add(x, x, beside, MPFR_RNDN);
    } else {
      x = near_middle(random, is_small ? static_cast<int>(random() % 64) : 0, bits);
      if (i % 4 == 0) {
        pairs.factor = 1 + static_cast<double>(random() >> 12) * 0x1p-53;
        pairs.factor_real = exact_real(pairs.factor);
        mpfr_div_d(x, x, pairs.factor, MPFR_RNDN);
      }
      mpfr_number two_pi(precision);
      mpfr_const_pi(two_pi, MPFR_RNDN);
      mpfr_mul_ui(two_pi, two_pi, 2, MPFR_RNDN);
      (is_small || random() % 2 == 0 ? mpfr_asin : mpfr_acos)(x, x, MPFR_RNDN);
      mpfr_div(x, x, two_pi, MPFR_RNDN);
    }
    mpfr_add_ui(x, x, 1 + random() % 4000, MPFR_RNDN);
    mpfr_div_d(x, x, position, MPFR_RNDN);
    mpfr_abs(x, x, MPFR_RNDN);
    if (mpfr_cmp_d(x, 0x1p-46) < 0) continue;  // declined
    pairs.add(x);
    const planned plan(vulkan_kernels()[0], pairs.view());
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    const std::vector<float> got = turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}}, 1);
    const auto [cosine, sine] = by_mpfr(pairs.turns_real[0], position, pairs.factor);
    different += got != std::vector<float>{cosine, sine};
  }
  EXPECT_EQ(different, 0u);
}

/// Frequencies that are exact in turns, as those counted in half turns are: a number of quarter turns has
/// zeros and ones, and every zero is +0. Whole positions have them too.
TEST(VulkanRealPositions, ExactQuarterTurnsHaveExactZerosAndOnes) {
  const watched_device device;
  for (const double turns : {0.25, 0.5, 1.0, 0.125, 0.375, 2500.25, 0x1.8p-20, 0x1p40}) {
    turning_pairs pairs;
    pairs.add(turns);
    const planned plan(vulkan_kernels()[0], pairs.view());
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    for (int quarters = -9; quarters <= 9; ++quarters) {
      const double position = quarters / (4 * turns);
      if (std::fma(position, 4 * turns, -quarters) != 0) continue;
      const auto wanted = [&](int quarter) {
        constexpr float cosines[] = {1, 0, -1, 0};
        return cosines[quarter & 3];
      };
      const auto expect = [&](const std::vector<float>& got) {
        EXPECT_EQ(to_bits(got[0]), to_bits(wanted(quarters))) << turns << ' ' << quarters;
        EXPECT_EQ(to_bits(got[1]), to_bits(wanted(quarters - 1))) << turns << ' ' << quarters;
      };
      expect(turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}}, 1));
      const auto whole = static_cast<std::int32_t>(position);
      if (position == whole) expect(turned(plan, pairs, given_positions(&whole), 1));
    }
  }
}

/// A pair that stands still turns at no position.
TEST(VulkanRealPositions, PairsThatStandStillAreNotTurned) {
  const watched_device device;
  turning_pairs pairs;
  pairs.add(0.3);
  pairs.add(mpfr_number(precision, 0.0), {});
  const planned plan(vulkan_kernels()[0], pairs.view());
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  for (const double position : {0.0, 0.1, -3e8, 5e-324}) {
    const std::vector<float> got = turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}}, 1);
    EXPECT_EQ(got[2], 1.0f);
    EXPECT_EQ(to_bits(got[3]), to_bits(0.0f));
  }
}

TEST(VulkanRealPositions, AreRefusedBeyondTheirDomain) {
  const watched_device device;
  std::mt19937_64 random(49);
  const rotation_case shape{.tokens = 1};
  const tensors in = random_tensors(shape, random);
  const resolved_encoding resolved(shape.encoding, shape.layout);
  ropewalk_rotation without = resolved.view();
  without.turns_real = nullptr;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto answered = [&](const ropewalk_kernel& kernel, const ropewalk_rotation& encoding, double position,
                            std::int32_t status) {
    laid_out memory(shape, in);
    memory.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}};
    const tensors before = memory.read();
    const planned plan(kernel, encoding);
    EXPECT_EQ(plan.apply(memory.call), status) << position << ' ' << plan.error.text;
    EXPECT_EQ(std::string(plan.error.field).substr(0, 16), "tokens.positions");
    EXPECT_EQ(memory.read(), before);
  };
  for (const ropewalk_kernel& kernel : vulkan_rotations()) {
    for (const double position : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
      answered(kernel, resolved.view(), position, ROPEWALK_INVALID_ARGUMENT);
    for (const double position : {end_of_positions, -end_of_positions, 1e300})
      answered(kernel, resolved.view(), position, ROPEWALK_UNDECIDED);
    answered(kernel, without, 0.5, ROPEWALK_UNSUPPORTED);
    EXPECT_EQ(kernel.limits->position_kinds, all_position_kinds) << kernel.name;
  }
  answered(vulkan_recipe(), resolved.view(), 0.5, ROPEWALK_UNSUPPORTED);
}

/// The sums of x and the rows of real positions.
std::vector<std::uint64_t> canonical_sums(const sinusoidal& config, const rotation_case& rotation,
                                          const std::vector<double>& positions, const tensors& in) {
  std::vector<std::uint64_t> out = in.query;
  with_format(rotation.dtype, [&]<class Float>() {
    using wide = rotation_format<Float>;
    const auto width = static_cast<std::size_t>(config.d_model),
               heads = static_cast<std::size_t>(rotation.query_heads);
    for (std::size_t token = 0; token < positions.size(); ++token)
      for (std::size_t channel = 0; channel < width; ++channel) {
        const int count = static_cast<int>(channel);
        if (content_of(count, config).holds == wave::zero) continue;
        const bits_of<wide> entry = round_sinusoidal_entry<wide>(positions[token], count, config);
        for (std::size_t head = 0; head < heads; ++head) {
          std::uint64_t& element = out[(token * heads + head) * width + channel];
          element = add_entry<Float>(static_cast<bits_of<Float>>(element), entry);
        }
      }
  });
  return out;
}

TEST(VulkanRealPositions, OfSinusoidalRowsEqualTheDefinition) {
  const watched_device device;
  std::mt19937_64 random(50);
  std::size_t entries = 0;
  for (const ropewalk_dtype dtype : dtypes)
    for (const sinusoidal_layout layout :
         {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
      for (const int width : {16, 33}) {
        const sinusoidal config{.d_model = width, .layout = layout, .odd = odd_width::zero};
        const rotation_case rotation = shape(dtype, width, 24, 2);
        std::vector<double> positions(24);
        for (double& position : positions) position = random_real(random);
        positions[0] = 999.5;  // a timestep
        const tensors in = random_tensors(rotation, random);
        const resolved_sinusoidal resolved(config);
        laid_out memory(rotation, in);
        memory.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, positions.data(), {0, 0, 1}};
        const planned plan(vulkan_kernels()[2], resolved.view());
        ASSERT_EQ(plan.apply(call_for(resolved.view(), memory)), ROPEWALK_OK) << plan.error.text;
        EXPECT_EQ(
            first_difference(dtype, memory.read().query, canonical_sums(config, rotation, positions, in)), -1)
            << width << ' ' << name_of(dtype);
        entries += positions.size() * static_cast<std::size_t>(width / 2 * 2);
      }
  RecordProperty("entries", std::to_string(entries));
}

/// An offset would round where it is added to a real position.
TEST(VulkanRealPositions, OfSinusoidalRowsAreRefusedBeyondTheirDomain) {
  const watched_device device;
  std::mt19937_64 random(51);
  const rotation_case rotation = shape(ROPEWALK_F32, 8, 1, 1);
  const tensors in = random_tensors(rotation, random);
  const auto answered = [&](const sinusoidal& config, double position, std::int32_t status) {
    const resolved_sinusoidal resolved(config);
    laid_out memory(rotation, in);
    memory.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}};
    const planned plan(vulkan_kernels()[2], resolved.view());
    EXPECT_EQ(plan.apply(call_for(resolved.view(), memory)), status) << position << ' ' << plan.error.text;
  };
  answered({.d_model = 8}, 0.5, ROPEWALK_OK);
  answered({.d_model = 8, .padding_idx = 1}, 0.5, ROPEWALK_UNSUPPORTED);
  answered({.d_model = 8}, std::numeric_limits<double>::quiet_NaN(), ROPEWALK_INVALID_ARGUMENT);
  answered({.d_model = 8}, end_of_positions, ROPEWALK_UNDECIDED);
  EXPECT_EQ(vulkan_kernels()[2].limits->position_kinds, all_position_kinds);
  EXPECT_EQ(vulkan_kernels()[3].limits->position_kinds, 0u);
}

}  // namespace
}  // namespace ropewalk::test
