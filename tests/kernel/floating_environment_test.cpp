// When callers set flush-to-zero, other rounding directions or traps, kernels give the same bits and restore
// the callers' environment.

#include "ropewalk/kernel/floating_environment.hpp"

#include <gtest/gtest.h>

#include <random>

#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"

namespace ropewalk::test {
namespace {

struct environment {
  const char* name;
  floating_registers registers;
};

#if defined(__x86_64__)
constexpr environment hostile[] = {
    {"flush to zero", {0x9f80, 0}},
    {"denormals are zero", {0x1fc0, 0}},
    {"both", {0x9fc0, 0}},
    {"downward", {0x3f80, 0}},
    {"upward", {0x5f80, 0}},
    {"toward zero", {0x7f80, 0}},
    {"all flags raised", {0x1fbf, 0}},
    {"no exception masked", {0x0000, 0}},
    {"upward, flushing, no exception masked, one flag raised", {0xc060, 0}},
};
#else
constexpr environment hostile[] = {
    {"flush to zero", {std::uint64_t{1} << 24, 0}},
    {"upward", {std::uint64_t{1} << 22, 0}},
    {"toward zero", {std::uint64_t{3} << 22, 0}},
    {"downward", {std::uint64_t{2} << 22, 0}},
    {"all flags raised", {0, 0x9f}},
};
#endif

/// Runs `work` with the given registers and returns the registers as `work` left them.
template <class Work>
floating_registers left_by(const floating_registers& registers, Work work) {
  const floating_registers saved = read_floating_registers();
  write_floating_registers(registers);
  work();
  const floating_registers after = read_floating_registers();
  write_floating_registers(saved);
  return after;
}

TEST(FloatingEnvironment, IsTheDefaultInsideAndIsRestoredAfterwards) {
  for (const environment& environment : hostile) {
    floating_registers inside;
    const floating_registers after = left_by(environment.registers, [&] {
      const default_floating_environment guard;
      inside = read_floating_registers();
    });
    EXPECT_EQ(inside, default_floating_registers()) << environment.name;
    EXPECT_EQ(after, environment.registers) << environment.name;
  }
}

TEST(FloatingEnvironment, HostileRegistersChangeArithmetic) {
  const volatile float unity = 1, three = 3, smallest = 0x1p-126f, half = 0.5f;
  volatile float downward = 0, flushed = 1;
  left_by(hostile[3].registers, [&] { downward = unity / three; });
  left_by(hostile[0].registers, [&] { flushed = smallest * half; });
  EXPECT_LT(downward, unity / three);
  EXPECT_EQ(flushed, 0.0f);
}

class HostileEnvironment : public ::testing::TestWithParam<ropewalk_dtype> {};

TEST_P(HostileEnvironment, CpuTableGivesCanonicalBitsAndRestoresTheRegisters) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  for (const environment& environment : hostile)
    for (const position_range often : {position_range{}, position_range{0, 8}}) {
      const rotation_case rotation{
          .encoding = {.base = 10000,
                       .rotary_dim = 8,
                       .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64}},
          .dtype = GetParam(),
          .tokens = 16,
          .query_heads = 4,
          .often = often};
      std::mt19937_64 random(17);
      const tensors in = random_tensors(rotation, random);
      laid_out memory(rotation, in);
      const resolved_encoding resolved(rotation.encoding, rotation.layout, often);
      const ropewalk_rotation encoding = resolved.view();
      ropewalk_plan* plan = nullptr;
      std::int32_t status[2] = {-1, -1};
      EXPECT_EQ(
          left_by(environment.registers, [&] { status[0] = kernel.plan(&encoding.head, &plan, nullptr); }),
          environment.registers);
      EXPECT_EQ(
          left_by(environment.registers, [&] { status[1] = kernel.apply(plan, &memory.call.head, nullptr); }),
          environment.registers);
      kernel.free_plan(plan);
      EXPECT_EQ(status[0], ROPEWALK_OK);
      EXPECT_EQ(status[1], ROPEWALK_OK);
      const tensors result = memory.read(), expected = canonical(rotation, in);
      EXPECT_EQ(first_difference(rotation.dtype, result.query, expected.query), -1) << environment.name;
      EXPECT_EQ(first_difference(rotation.dtype, result.key, expected.key), -1) << environment.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, HostileEnvironment, ::testing::ValuesIn(all_dtypes));

TEST(FloatingEnvironment, IsRestoredWhenAKernelRefuses) {
  for (const ropewalk_kernel& kernel : built_in_kernels())
    for (const environment& environment : hostile) {
      ropewalk_error error{};
      std::int32_t status = ROPEWALK_OK;
      EXPECT_EQ(left_by(environment.registers, [&] { status = kernel.apply(nullptr, nullptr, &error); }),
                environment.registers);
      EXPECT_EQ(status, ROPEWALK_INVALID_ARGUMENT);
      EXPECT_STREQ(error.field, "plan");
    }
}

}  // namespace
}  // namespace ropewalk::test
