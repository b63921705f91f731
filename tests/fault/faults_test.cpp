// Each planted fault is wrong where it says so, and canonical elsewhere: it differs in one thing.

#include "fault/faults.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "fault/canonical_steps.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::test {
namespace {

const rope plain{.base = 10000, .rotary_dim = 16};
const rope scaled{
    .base = 10000, .rotary_dim = 16, .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64}};

/// Nothing that any fault touches: 8 pairs, 4 heads, one batch row, half-split, forward, position 0.
rotation_case harmless() {
  return {.encoding = plain, .layout = {.head_dim = 16}, .tokens = 1, .query_heads = 4, .key_heads = 4};
}

struct planted {
  std::string name;
  rotation_case seen;
  floating_registers callers = default_floating_registers();
};

std::vector<planted> all_planted() {
  const auto changed = [](auto change) {
    rotation_case r = harmless();
    r.positions = {3};
    change(r);
    return r;
  };
  const auto scaled_case = [&](std::uint32_t flags) {
    return changed([&](rotation_case& r) { r.encoding = scaled, r.flags = flags; });
  };
  return {
      {"fault-angle-f32", changed([](rotation_case& r) { r.positions = {1 << 20}; })},
      {"fault-half-split",
       changed([](rotation_case& r) { r.layout.pairing_in = r.layout.pairing_out = pairing::interleaved; })},
      {"fault-backward-is-forward", changed([](rotation_case& r) { r.flags = ROPEWALK_BACKWARD; })},
      {"fault-inverse-attention", scaled_case(ROPEWALK_BACKWARD)},
      {"fault-tail", changed([](rotation_case& r) { r.query_heads = 5; })},
      {"fault-position-off-by-one", changed([](rotation_case&) {})},
      {"fault-attention-dropped", scaled_case(0)},
      {"fault-attention-in-unit", scaled_case(ROPEWALK_UNIT)},
      {"fault-batch-row", changed([](rotation_case& r) {
         r.batch = 2, r.positions = {3, 3};
       })},
      {"fault-pass-through-zeroed", changed([](rotation_case& r) { r.layout.head_dim = 17; })},
      {"fault-nan-spreads", changed([](rotation_case&) {})},
      {"fault-small-flushed", changed([](rotation_case&) {})},
      {"fault-head-group", changed([](rotation_case& r) { r.query_heads = 12; })},
      {"fault-environment-left", changed([](rotation_case&) {})},
      {"fault-flush-to-zero", changed([](rotation_case&) {}), flushing_floating_registers()},
  };
}

/// Numbers around 1, and what nan-spreads, small-flushed and flush-to-zero need: a NaN, or a small number, in the first pair
/// alone.
tensors elements_for(const planted& given, std::mt19937_64& random) {
  tensors in{std::vector<std::uint64_t>(element_count(given.seen, given.seen.query_heads)),
             std::vector<std::uint64_t>(element_count(given.seen, given.seen.key_heads))};
  for (auto* elements : {&in.query, &in.key})
    for (std::uint64_t& element : *elements) element = (random() & 0x807fffff) | 0x3f800000;
  if (given.name == "fault-nan-spreads") in.query[0] = format<float>::quiet_nan;
  if (given.name == "fault-small-flushed") in.query[0] = in.query[8] = 0x03000001;
  if (given.name == "fault-flush-to-zero") in.query[0] = in.query[8] = 0x00000101;
  return in;
}

/// What came out, and whether the caller's environment was left as it was.
struct answered {
  tensors out;
  bool kept = false;
};

answered turned(const ropewalk_kernel& kernel, const planted& asked, const tensors& in) {
  const rotation_case& given = asked.seen;
  laid_out memory(given, in);
  const planned plan(kernel, given);
  EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  const floating_registers own = read_floating_registers();
  write_floating_registers(asked.callers);
  const std::int32_t status = plan.apply(memory.call);
  const floating_registers left = read_floating_registers();
  write_floating_registers(own);
  EXPECT_EQ(status, ROPEWALK_OK) << plan.error.text;
  EXPECT_TRUE(memory.guards_are_intact());
  return {memory.read(), same_arithmetic(left, asked.callers)};
}

bool is_canonical(const rotation_case& given, const answered& got, const tensors& in) {
  const tensors wanted = canonical(given, in);
  return got.kept && first_difference(given.dtype, got.out.query, wanted.query) == -1 &&
         first_difference(given.dtype, got.out.key, wanted.key) == -1;
}

const ropewalk_kernel& fault_named(const std::string& name) {
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    if (kernel.name == name) return kernel;
  throw std::invalid_argument(name);
}

TEST(Faults, EachIsSeenInItsOwnCase) {
  std::mt19937_64 random(1);
  std::set<std::string> tried;
  for (const planted& given : all_planted()) {
    const tensors in = elements_for(given, random);
    EXPECT_FALSE(is_canonical(given.seen, turned(fault_named(given.name), given, in), in)) << given.name;
    tried.insert(given.name);
  }
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    EXPECT_TRUE(tried.count(kernel.name)) << kernel.name;
}

TEST(Faults, EachIsCanonicalInTheCasesOfTheOthers) {
  // Which of the others' cases a fault shows in as well: it turns a row or a token otherwise than it must.
  const std::set<std::string> show_everywhere{"fault-angle-f32", "fault-position-off-by-one",
                                              "fault-environment-left"};
  const std::set<std::pair<std::string, std::string>> show_in{
      {"fault-attention-dropped", "fault-inverse-attention"},
      {"fault-backward-is-forward", "fault-inverse-attention"},
      {"fault-small-flushed", "fault-flush-to-zero"}};
  std::mt19937_64 random(2);
  for (const ropewalk_kernel& kernel : fault::fault_kernels()) {
    if (show_everywhere.count(kernel.name)) continue;
    for (const planted& other : all_planted()) {
      if (other.name == kernel.name || show_in.count({kernel.name, other.name})) continue;
      const tensors in = elements_for(other, random);
      EXPECT_TRUE(is_canonical(other.seen, turned(kernel, other, in), in))
          << kernel.name << " in " << other.name;
    }
  }
}

TEST(Faults, WithoutOneTheStepsAreCanonicalForEveryDtype) {
  const ropewalk_kernel kernel = fault::kernel_with<fault::canonical_steps>("canonical-steps");
  std::mt19937_64 random(3);
  for (const ropewalk_dtype dtype : {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16})
    for (const planted& given : all_planted()) {
      planted other = given;
      other.seen.dtype = dtype;
      const tensors in = random_tensors(other.seen, random);
      EXPECT_TRUE(is_canonical(other.seen, turned(kernel, other, in), in)) << given.name;
    }
}

TEST(Faults, TheBuiltInKernelHasNone) {
  std::mt19937_64 random(4);
  for (const planted& given : all_planted()) {
    const tensors in = elements_for(given, random);
    EXPECT_TRUE(is_canonical(given.seen, turned(cpu_table_kernel(), given, in), in)) << given.name;
  }
}

}  // namespace
}  // namespace ropewalk::test
