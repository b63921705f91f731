// Kernels at positions in binary64 through the C interface: the canonical bits by MPFR's cosines and sines,
// on 1 to 4 axes, in every format, arrangement, split and floating-point environment.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/addition_case.hpp"
#include "kernel/kernel_test_name.hpp"
#include "kernel/kernels.hpp"
#include "kernel/real_case.hpp"
#include "oracle/sinusoidal_oracle.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::test {
namespace {

/// Positions of every token on every axis, in some order in memory.
struct real_tokens {
  std::int64_t batch = 1;
  std::int64_t tokens = 1;
  int axes = 1;
  std::vector<double> at{};  // [axes][batch][tokens]

  double position(int axis, std::int64_t token) const {
    return at[static_cast<std::size_t>(axis * batch * tokens + token)];
  }
};

/// Hard positions on every axis, in an order of each axis's own, then random ones.
real_tokens hard_tokens(int axes, std::int64_t batch, std::int64_t tokens, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  real_tokens result{batch, tokens, axes, {}};
  for (int axis = 0; axis < axes; ++axis) {
    std::vector<double> hard = hard_positions();
    std::shuffle(hard.begin(), hard.end(), random);
    hard.resize(static_cast<std::size_t>(batch * tokens), 0);
    for (std::size_t i = hard.size() / 2; i < hard.size(); ++i) hard[i] = random_real_position(random);
    result.at.insert(result.at.end(), hard.begin(), hard.end());
  }
  return result;
}

/// Centres of a grid: coordinates that come again, on the last two axes.
real_tokens grid_tokens(int axes, std::int64_t side) {
  real_tokens tokens{1, side * side, axes, {}};
  for (int axis = 0; axis < axes; ++axis)
    for (std::int64_t i = 0; i < side * side; ++i) {
      const auto index = static_cast<double>(axis == axes - 1 ? i % side : axis == axes - 2 ? i / side : 3);
      tokens.at.push_back(2 * (index + 0.5) / static_cast<double>(side) - 1);
    }
  return tokens;
}

/// Cosines and sines of all pairs of all tokens, by MPFR.
struct true_rows {
  true_rows(const real_form& form, const real_tokens& tokens, bool unit = false) {
    for (std::int64_t token = 0; token < tokens.batch * tokens.tokens; ++token)
      for (std::size_t pair = 0; pair < form.pairs.size(); ++pair)
        entries.push_back(oracle::turns_oracle::at(tokens.position(form.axis[pair], token), form.pairs[pair],
                                                   unit ? 1 : form.factor));
  }
  std::vector<oracle::rope_oracle::entry> entries;  // [batch x tokens][pairs]
};

rotation_case real_case_of(const real_form& form, const real_tokens& tokens, ropewalk_dtype dtype) {
  return {.encoding = {.rotary_dim = 2 * static_cast<int>(form.pairs.size())},
          .layout = {.head_dim = 2 * static_cast<int>(form.pairs.size()) + 3},
          .dtype = dtype,
          .batch = tokens.batch,
          .tokens = tokens.tokens};
}

template <floating_format Float>
std::vector<std::uint64_t> canonical_reals(const rotation_case& rotation, const true_rows& rows,
                                           const std::vector<std::uint64_t>& in, std::int64_t heads) {
  using wide = rotation_format<Float>;
  std::vector<std::uint64_t> out = in;
  const int pairs = rotation.encoding.rotary_dim / 2;
  for (std::int64_t token = 0; token < rotation.batch * rotation.tokens; ++token)
    for (std::int64_t head = token * heads; head < (token + 1) * heads; ++head)
      for (int pair = 0; pair < pairs; ++pair) {
        const auto at = [&](int channel) {
          return static_cast<std::size_t>(head * rotation.layout.head_dim + channel);
        };
        const auto& truth = rows.entries[static_cast<std::size_t>(token * pairs + pair)];
        bits_pair<wide> entry{truth.cos.in<wide>(), truth.sin.in<wide>()};
        if ((rotation.flags & ROPEWALK_BACKWARD) != 0) entry = backward<wide>(entry);
        const channel_pair place =
            channels_of(pair, rotation.encoding.rotary_dim, rotation.layout.pairing_in);
        const auto y = rotate_pair<Float>({static_cast<bits_of<Float>>(in[at(place.first)]),
                                           static_cast<bits_of<Float>>(in[at(place.second)])},
                                          entry);
        out[at(place.first)] = y.first;
        out[at(place.second)] = y.second;
      }
  return out;
}

tensors canonical_reals(const rotation_case& rotation, const true_rows& rows, const tensors& in) {
  return with_format(rotation.dtype, [&]<class Float>() {
    return tensors{canonical_reals<Float>(rotation, rows, in.query, rotation.query_heads),
                   canonical_reals<Float>(rotation, rows, in.key, rotation.key_heads)};
  });
}

/// Positions in memory of their own: by axes, or all axes of a token together and the tokens backward.
class laid_out_positions {
 public:
  laid_out_positions(const real_tokens& tokens, bool by_token) {
    const std::int64_t count = tokens.batch * tokens.tokens;
    if (!by_token) {
      memory_ = tokens.at;
      view = {ROPEWALK_POSITIONS_F64, tokens.axes, memory_.data(), {count, tokens.tokens, 1}};
      return;
    }
    for (std::int64_t token = count; token-- > 0;)
      for (int axis = 0; axis < tokens.axes; ++axis) memory_.push_back(tokens.position(axis, token));
    view = {ROPEWALK_POSITIONS_F64,
            tokens.axes,
            memory_.data() + (count - 1) * tokens.axes,
            {1, -tokens.tokens * tokens.axes, -tokens.axes}};
  }
  laid_out_positions(const laid_out_positions&) = delete;

  ropewalk_positions view{};

 private:
  std::vector<double> memory_;
};

/// A call on memory of its own.
struct reals_laid_out {
  reals_laid_out(const rotation_case& rotation, const real_tokens& tokens, const tensors& in,
                 bool by_token = false)
      : positions(tokens, by_token), memory(rotation, in) {
    memory.call.tokens.positions = positions.view;
  }
  laid_out_positions positions;
  laid_out memory;
};

std::vector<ropewalk_kernel> real_rotations() {
  std::vector<ropewalk_kernel> rotations;
  for (const ropewalk_kernel& kernel : all_kernels())
    if (std::string_view(kernel.name).starts_with("cpu-")) rotations.push_back(kernel);
  return rotations;
}

class RealPositions : public testing::TestWithParam<ropewalk_kernel> {
 protected:
  std::vector<ropewalk_dtype> dtypes() const {
    std::vector<ropewalk_dtype> dtypes{ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16};
    if (std::string_view(GetParam().name).starts_with("cpu-table")) dtypes.push_back(ROPEWALK_F64);
    return dtypes;
  }
  void expect_canonical(const real_form& form, const real_encoding& encoding, const real_tokens& tokens,
                        const true_rows& rows, const rotation_case& rotation, bool by_token) const {
    std::mt19937_64 random(7);
    const tensors in = random_tensors(rotation, random);
    reals_laid_out made(rotation, tokens, in, by_token);
    const planned plan(GetParam(), encoding.view());
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.field << ' ' << plan.error.text;
    ASSERT_EQ(plan.apply(made.memory.call), ROPEWALK_OK) << plan.error.field << ' ' << plan.error.text;
    const tensors got = made.memory.read(), wanted = canonical_reals(rotation, rows, in);
    EXPECT_EQ(first_difference(rotation.dtype, got.query, wanted.query), -1)
        << form.name << ' ' << name_of(rotation.dtype);
    EXPECT_EQ(first_difference(rotation.dtype, got.key, wanted.key), -1)
        << form.name << ' ' << name_of(rotation.dtype);
    EXPECT_TRUE(made.memory.guards_are_intact());
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, RealPositions, testing::ValuesIn(real_rotations()), test_name);

/// What the tests below share: MPFR computes each form once.
struct real_prepared {
  real_form form;
  real_tokens tokens;
  real_encoding encoding;
  true_rows rows;

  real_prepared(const real_form& real, const real_tokens& at)
      : form(real), tokens(at), encoding(real, 2 * static_cast<int>(real.pairs.size()) + 3), rows(real, at) {}
};

const std::vector<real_prepared>& hard_real_cases() {
  static const auto& cases = *[] {
    auto* made = new std::vector<real_prepared>;
    std::uint64_t seed = 20;
    for (const real_form& form : real_forms())
      made->emplace_back(form, hard_tokens(form.axes, 2, 45, seed++));
    return made;
  }();
  return cases;
}

TEST_P(RealPositions, GiveTheCanonicalBitsOfEveryForm) {
  for (const real_prepared& test_case : hard_real_cases())
    for (const ropewalk_dtype dtype : dtypes())
      for (const bool by_token : {false, true})
        expect_canonical(test_case.form, test_case.encoding, test_case.tokens, test_case.rows,
                         real_case_of(test_case.form, test_case.tokens, dtype), by_token);
}

TEST_P(RealPositions, GiveTheCanonicalBitsOfGrids) {
  static const std::vector<real_prepared>& cases =
      *new std::vector<real_prepared>{{dino_form(14), grid_tokens(2, 13)},
                                      {ltx_form(4), grid_tokens(3, 9)},
                                      {exact_form(3), grid_tokens(4, 8)}};
  for (const real_prepared& test_case : cases)
    for (const ropewalk_dtype dtype : dtypes())
      expect_canonical(test_case.form, test_case.encoding, test_case.tokens, test_case.rows,
                       real_case_of(test_case.form, test_case.tokens, dtype), true);
}

TEST_P(RealPositions, GiveTheCanonicalBitsInEveryArrangement) {
  const real_prepared& prepared = hard_real_cases()[2];
  for (const arrangement how : all_arrangements)
    for (const bool in_place : {false, true}) {
      rotation_case rotation = real_case_of(prepared.form, prepared.tokens, dtypes().back());
      rotation.how = how;
      rotation.in_place = in_place;
      rotation.query_heads = 3;
      rotation.key_heads = in_place ? 1 : 0;
      expect_canonical(prepared.form, prepared.encoding, prepared.tokens, prepared.rows, rotation, in_place);
    }
}

TEST_P(RealPositions, TurnBackwardAndWithoutTheFactor) {
  const real_form form = text_form(9, 500000, 1.2079441541679836);
  const real_tokens tokens = hard_tokens(1, 1, 80, 31);
  const real_encoding encoding(form, 21);
  for (const bool unit : {false, true}) {
    const true_rows rows(form, tokens, unit);
    for (const std::uint32_t backward : {0u, ROPEWALK_BACKWARD}) {
      rotation_case rotation = real_case_of(form, tokens, ROPEWALK_F32);
      rotation.flags = backward | (unit ? ROPEWALK_UNIT : 0u);
      expect_canonical(form, encoding, tokens, rows, rotation, false);
    }
  }
}

TEST_P(RealPositions, RangesOfTokensJoinToTheWhole) {
  const real_prepared& prepared = hard_real_cases()[3];
  const rotation_case rotation = real_case_of(prepared.form, prepared.tokens, ROPEWALK_F32);
  std::mt19937_64 random(8);
  const tensors in = random_tensors(rotation, random);
  reals_laid_out made(rotation, prepared.tokens, in);
  const planned plan(GetParam(), prepared.encoding.view());
  for (const auto& [begin, end] : {std::pair{60, 90}, {0, 1}, {1, 44}, {44, 47}, {47, 60}}) {
    made.memory.call.tokens.begin = begin;
    made.memory.call.tokens.end = end;
    ASSERT_EQ(plan.apply(made.memory.call), ROPEWALK_OK) << plan.error.text;
  }
  EXPECT_EQ(first_difference(ROPEWALK_F32, made.memory.read().query,
                             canonical_reals(rotation, prepared.rows, in).query),
            -1);
}

TEST_P(RealPositions, WholeOnesGiveTheBitsOfIntegers) {
  for (const position_range often : {position_range{}, position_range{-4, 40}})
    for (const ropewalk_dtype dtype : dtypes()) {
      const rotation_case rotation{.encoding = {.base = 10000, .rotary_dim = 64},
                                   .layout = {.head_dim = 64},
                                   .dtype = dtype,
                                   .tokens = 40,
                                   .positions =
                                       [] {
                                         std::vector<std::int32_t> numbers(40);
                                         for (int i = 0; i < 40; ++i)
                                           numbers[static_cast<std::size_t>(i)] = i < 30 ? i - 3 : i << 24;
                                         return numbers;
                                       }(),
                                   .often = often};
      std::mt19937_64 random(9);
      const tensors in = random_tensors(rotation, random);
      const real_tokens tokens{1, 40, 1, {rotation.positions.begin(), rotation.positions.end()}};
      laid_out whole(rotation, in);
      reals_laid_out real(rotation, tokens, in);
      const planned plan(GetParam(), rotation);
      ASSERT_EQ(plan.apply(whole.call), ROPEWALK_OK) << plan.error.text;
      ASSERT_EQ(plan.apply(real.memory.call), ROPEWALK_OK) << plan.error.text;
      EXPECT_EQ(first_difference(dtype, real.memory.read().query, whole.read().query), -1) << name_of(dtype);
    }
}

#if defined(__x86_64__)
/// Flush to zero, denormals are zero, both, and the three other directions.
constexpr floating_registers hostile_registers[] = {{0x9f80, 0}, {0x1fc0, 0}, {0x9fc0, 0},
                                                    {0x3f80, 0}, {0x5f80, 0}, {0x7f80, 0}};
#else
constexpr floating_registers hostile_registers[] = {{std::uint64_t{1} << 24, 0},
                                                    {std::uint64_t{1} << 22, 0},
                                                    {std::uint64_t{2} << 22, 0},
                                                    {std::uint64_t{3} << 22, 0}};
#endif

std::int32_t status_around(const floating_registers& registers, const std::function<std::int32_t()>& work) {
  const floating_registers saved = read_floating_registers();
  write_floating_registers(registers);
  const std::int32_t status = work();
  write_floating_registers(saved);
  return status;
}

TEST_P(RealPositions, GiveTheSameBitsInEveryEnvironment) {
  for (const floating_registers& around : hostile_registers)
    for (const real_prepared& test_case : hard_real_cases()) {
      const rotation_case rotation = real_case_of(test_case.form, test_case.tokens, dtypes().back());
      std::mt19937_64 random(10);
      const tensors in = random_tensors(rotation, random);
      reals_laid_out made(rotation, test_case.tokens, in);
      const ropewalk_rotation encoding = test_case.encoding.view();
      ropewalk_plan* plan = nullptr;
      const auto apply = [&] {
        const std::int32_t status = GetParam().plan(&encoding.head, &plan, nullptr);
        return status == ROPEWALK_OK ? GetParam().apply(plan, &made.memory.call.head, nullptr) : status;
      };
      EXPECT_EQ(status_around(around, apply), ROPEWALK_OK);
      GetParam().free_plan(plan);
      EXPECT_EQ(first_difference(rotation.dtype, made.memory.read().query,
                                 canonical_reals(rotation, test_case.rows, in).query),
                -1)
          << test_case.form.name;
    }
}

/// 256 bits of 1/100 radians do not say how a sine rounds whose angle is a tie of binary32. Those of 1/10
/// turns are of a fraction, whose cosine is exactly 0 at a quarter turn.
TEST_P(RealPositions, AreUndecidedWhereTheNumbersDoNotDecide) {
  const real_form hundredth{
      .name = "hundredth", .axis = {0}, .pairs = {{10000, -1, 2, oracle::turned_unit::radian}}},
      tenth{.name = "tenth", .axis = {0}, .pairs = {{100, -1, 2, oracle::turned_unit::turn}}};
  const double tie = 0x1.8p-149, beside = 0x1.9p-149;
  const struct {
    const real_form& form;
    double position;
    std::int32_t status;
  } cases[] = {{hundredth, 100 * tie, ROPEWALK_UNDECIDED},
               {hundredth, 100 * beside, ROPEWALK_OK},
               {tenth, 7.5, ROPEWALK_OK},
               {tenth, 7.25, ROPEWALK_OK}};
  for (const auto& [form, position, status] : cases) {
    const real_encoding encoding(form, 2);
    const real_tokens tokens{1, 1, 1, {position}};
    rotation_case rotation = real_case_of(form, tokens, ROPEWALK_F32);
    rotation.layout.head_dim = 2;
    std::mt19937_64 random(11);
    reals_laid_out made(rotation, tokens, random_tensors(rotation, random));
    const planned plan(GetParam(), encoding.view());
    EXPECT_EQ(plan.apply(made.memory.call), status) << plan.error.text;
  }
}

std::vector<ropewalk_kernel> real_additions() {
  std::vector<ropewalk_kernel> additions;
  for (const ropewalk_kernel& kernel : all_addition_kernels())
    if (std::string_view(kernel.name).starts_with("cpu-sinusoidal-add")) additions.push_back(kernel);
  return additions;
}

class RealRowsAdded : public testing::TestWithParam<ropewalk_kernel> {};

INSTANTIATE_TEST_SUITE_P(Kernels, RealRowsAdded, testing::ValuesIn(real_additions()), test_name);

TEST_P(RealRowsAdded, GiveTheCanonicalSums) {
  for (const sinusoidal_layout layout :
       {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin}) {
    const sinusoidal config{.d_model = 22, .layout = layout};
    const oracle::sinusoidal_oracle truth(config, 6000);
    const real_tokens tokens = hard_tokens(1, 2, 45, 41);
    std::vector<std::vector<oracle::four_roundings>> rows;
    for (const double position : tokens.at) rows.push_back(truth.row(position));
    for (const ropewalk_dtype dtype : all_dtypes) {
      rotation_case rotation = shape(dtype, config.d_model, tokens.tokens, 3);
      rotation.batch = tokens.batch;
      std::mt19937_64 random(12);
      const tensors in = random_tensors(rotation, random);
      reals_laid_out made(rotation, tokens, in);
      const resolved_sinusoidal resolved(config);
      const planned plan(GetParam(), resolved.view());
      ASSERT_EQ(plan.apply(call_for(resolved.view(), made.memory)), ROPEWALK_OK) << plan.error.text;
      std::vector<std::uint64_t> wanted = in.query;
      with_format(dtype, [&]<class Float>() {
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          const std::size_t channel = i % static_cast<std::size_t>(config.d_model);
          const auto& row = rows[i / (3 * static_cast<std::size_t>(config.d_model))];
          wanted[i] = add_entry<Float>(static_cast<bits_of<Float>>(wanted[i]),
                                       row[channel].in<rotation_format<Float>>());
        }
      });
      EXPECT_EQ(first_difference(dtype, made.memory.read().query, wanted), -1) << name_of(dtype);
      EXPECT_TRUE(made.memory.guards_are_intact());
    }
  }
}

TEST_P(RealRowsAdded, AreDeclinedWithAnOffset) {
  const sinusoidal config{.d_model = 8, .padding_idx = 1};
  const resolved_sinusoidal resolved(config);
  const rotation_case rotation = shape(ROPEWALK_F32, 8, 3, 1);
  std::mt19937_64 random(13);
  reals_laid_out made(rotation, {1, 3, 1, {0.5, 1, 2}}, random_tensors(rotation, random));
  const planned plan(GetParam(), resolved.view());
  EXPECT_EQ(plan.apply(call_for(resolved.view(), made.memory)), ROPEWALK_UNSUPPORTED);
  EXPECT_STREQ(plan.error.field, "tokens.positions.kind");
}

}  // namespace
}  // namespace ropewalk::test
