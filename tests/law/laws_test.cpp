#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernel/kernels.hpp"
#include "law/law_example.hpp"

namespace ropewalk {
namespace {

constexpr std::uint64_t cases_of_each = 8;

void expect_all_hold(const ropewalk_kernel& kernel) {
  for (const example::encoding& from : example::encodings()) {
    const held_kernel held(kernel, static_cast<ropewalk_promise>(kernel.promise), from.config, from.layout);
    for (const law& one : laws) {
      if (!applies(one, held.promise())) continue;
      for (const ropewalk_dtype dtype : example::dtypes)
        for (std::uint64_t seed = 0; seed < cases_of_each; ++seed) {
          const measurement m = measure(one, held, example::case_for(one, from, dtype, seed));
          EXPECT_TRUE(m.holds) << kernel.name << ", " << from.name << ", " << one.name << ", "
                               << name_of(dtype) << ", seed " << seed << ": " << m.worst << " " << m.trouble;
          EXPECT_GT(m.compared, 0) << one.name;
          EXPECT_FALSE(m.declined) << one.name;
        }
    }
  }
}

TEST(Laws, HoldForCpuTable) { expect_all_hold(cpu_table_kernel()); }

TEST(Laws, HoldForExact) { expect_all_hold(exact_kernel()); }

TEST(Laws, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const law& one : laws) EXPECT_TRUE(names.insert(one.name).second) << one.name;
}

TEST(Laws, JudgeCanonicalBitsOnlyWhereTheyArePromised) {
  const law& canonical = example::law_named("canonical");
  EXPECT_TRUE(applies(canonical, ROPEWALK_CANONICAL));
  EXPECT_FALSE(applies(canonical, ROPEWALK_EXACT));
  EXPECT_FALSE(applies(canonical, ROPEWALK_ANGLE_F32));
}

TEST(Laws, LeaveOutWhatMayOverflow) {
  const example::encoding& from = example::encodings().front();
  const held_kernel held(cpu_table_kernel(), ROPEWALK_CANONICAL, from.config, from.layout);
  law_case given = example::single_head(ROPEWALK_F16, 16, 1);
  for (auto& element : given.query)
    element = 0x7bff;  // 65504 in every channel: their norm is beyond binary16
  const measurement m = measure(example::law_named("accuracy"), held, given);
  EXPECT_TRUE(m.holds);
  EXPECT_EQ(m.compared, 0);
}

/// A kernel that answers every call with one status.
template <int Status>
ropewalk_kernel refusing_kernel() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan*, const ropewalk_call*, ropewalk_error*) -> std::int32_t {
    return Status;
  };
  return kernel;
}

TEST(Laws, SayNothingOfCallsThatAreNotServed) {
  const example::encoding& from = example::encodings().front();
  const held_kernel held(refusing_kernel<ROPEWALK_UNSUPPORTED>(), ROPEWALK_CANONICAL, from.config,
                         from.layout);
  const measurement m = measure(laws[0], held, example::case_for(laws[0], from, ROPEWALK_F32, 0));
  EXPECT_TRUE(m.declined);
  EXPECT_TRUE(m.holds);
}

TEST(Laws, FailWhereTheKernelRefusesAValidCall) {
  const example::encoding& from = example::encodings().front();
  const held_kernel held(refusing_kernel<ROPEWALK_INVALID_ARGUMENT>(), ROPEWALK_CANONICAL, from.config,
                         from.layout);
  const measurement m = measure(laws[0], held, example::case_for(laws[0], from, ROPEWALK_F32, 0));
  EXPECT_FALSE(m.holds);
  EXPECT_NE(m.trouble.find("status 1"), std::string::npos) << m.trouble;
}

}  // namespace
}  // namespace ropewalk
