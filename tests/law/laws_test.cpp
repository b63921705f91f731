#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "kernel/kernels.hpp"
#include "law/broken_laws.hpp"
#include "law/law_example.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/kernel/call_words.hpp"

namespace ropewalk::laws_test {
namespace {

constexpr std::uint64_t cases_of_each = 8;

void expect_all_hold(const ropewalk_kernel& kernel) {
  for (const example::encoding& from : example::encodings()) {
    const checked_rotation checked(kernel, promise_of(kernel), from.config, from.layout);
    for (const auto& law : rotation_laws::all) {
      if (!law.applies(checked)) continue;
      for (const ropewalk_dtype dtype : all_dtypes)
        for (std::uint64_t seed = 0; seed < cases_of_each; ++seed) {
          const measurement measured = measure(law, checked, example::case_for(law, from, dtype, seed));
          EXPECT_TRUE(measured.holds)
              << kernel.name << ", " << from.name << ", " << law.name << ", " << name_of(dtype) << ", seed "
              << seed << ": " << measured.worst << " " << measured.trouble;
          EXPECT_GT(measured.compared, 0) << law.name;
          EXPECT_FALSE(measured.declined) << law.name;
        }
    }
  }
}

TEST(Laws, HoldForCpuTable) { expect_all_hold(cpu_table_kernel()); }

TEST(Laws, HoldForExact) { expect_all_hold(exact_kernel()); }

TEST(Laws, HaveNamesOfTheirOwn) {
  example::expect_names_of_their_own(rotation_laws::all);
  example::expect_names_of_their_own(addition_laws::all);
}

TEST(Laws, JudgeCanonicalBitsOnlyWhereTheyArePromised) {
  const example::encoding& from = example::encodings().front();
  const auto is_judged = [&](promise promised) {
    return rotation_laws::canonical.applies(
        checked_rotation(cpu_table_kernel(), promised, from.config, from.layout));
  };
  for (const promise_description& description : promises)
    EXPECT_EQ(is_judged(description.value), description.value == promise::canonical) << description.name;
}

TEST(Laws, LeaveOutWhatMayOverflow) {
  const example::encoding& from = example::encodings().front();
  const checked_rotation kernel(cpu_table_kernel(), promise::canonical, from.config, from.layout);
  law_case test_case = example::single_head(ROPEWALK_F16, 16, 1);
  for (auto& element : test_case.query)
    element = 0x7bff;  // 65504 in every channel: their norm is beyond binary16
  const measurement measured = measure(rotation_laws::accuracy, kernel, test_case);
  EXPECT_TRUE(measured.holds);
  EXPECT_EQ(measured.compared, 0);
}

/// A kernel that answers every call with one status.
template <int Status>
ropewalk_kernel refusing_kernel() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan*, const ropewalk_head*, ropewalk_error*) -> std::int32_t {
    return Status;
  };
  return kernel;
}

TEST(Laws, SayNothingOfCallsThatAreNotServed) {
  const example::encoding& from = example::encodings().front();
  const checked_rotation kernel(refusing_kernel<ROPEWALK_UNSUPPORTED>(), promise::canonical, from.config,
                                from.layout);
  const measurement measured = measure(rotation_laws::canonical, kernel,
                                       example::case_for(rotation_laws::canonical, from, ROPEWALK_F32, 0));
  EXPECT_TRUE(measured.declined);
  EXPECT_TRUE(measured.holds);
}

TEST(Laws, FailWhereTheKernelRefusesAValidCall) {
  const example::encoding& from = example::encodings().front();
  const checked_rotation kernel(refusing_kernel<ROPEWALK_INVALID_ARGUMENT>(), promise::canonical, from.config,
                                from.layout);
  const measurement measured = measure(rotation_laws::canonical, kernel,
                                       example::case_for(rotation_laws::canonical, from, ROPEWALK_F32, 0));
  EXPECT_FALSE(measured.holds);
  EXPECT_NE(measured.trouble.find("status 1"), std::string::npos) << measured.trouble;
}

/// A correct kernel that then calls After, to do what a foreign kernel might do.
template <auto After>
ropewalk_kernel kernel_followed_by() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* call,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, call, error);
    After(read_struct<ropewalk_rotation_call>(call, ROPEWALK_ROTATE, "call"));
    return status;
  };
  return kernel;
}

TEST(Laws, FailWhereAnInfinityVanishes) {
  constexpr auto zero_pair_0 = [](const ropewalk_rotation_call& call) {
    auto* elements = static_cast<std::uint32_t*>(call.query_out.data);
    elements[0] = elements[8] = 0;
  };
  const example::encoding& from = example::encodings().front();
  law_case test_case = example::single_head(ROPEWALK_F32, 16, 3);
  test_case.query[0] = format<float>::infinity;
  const auto& non_finite = rotation_laws::non_finite;
  const checked_rotation right(cpu_table_kernel(), promise::canonical, from.config, from.layout);
  EXPECT_TRUE(measure(non_finite, right, test_case).holds);
  const checked_rotation wrong(kernel_followed_by<zero_pair_0>(), promise::canonical, from.config,
                               from.layout);
  EXPECT_FALSE(measure(non_finite, wrong, test_case).holds);
}

TEST(Laws, SayWhichCallOfACaseIsWrong) {
  const example::encoding& from = example::encodings().front();
  law_case test_case = example::single_head(ROPEWALK_F32, 16, 3);
  test_case.tokens = 4;
  test_case.query = std::vector<std::uint64_t>(4 * 16, example::bits_near(ROPEWALK_F32, 1));
  test_case.positions = {3, 5, 5, 7};
  const auto& law = rotation_laws::prefill_decode;
  static constexpr auto zero = [](const ropewalk_rotation_call& call) {
    static_cast<std::uint32_t*>(call.query_out.data)[0] = 0;
  };
  constexpr auto zero_one_token = [](const ropewalk_rotation_call& call) {
    if (call.query_out.shape[call.query_out.rank - 3] == 1) zero(call);
  };
  constexpr auto zero_sequences = [](const ropewalk_rotation_call& call) {
    if (call.tokens.sequences > 1 && call.tokens.begin == 0 && call.tokens.end == 4) zero(call);
  };
  constexpr auto zero_rank_3 = [](const ropewalk_rotation_call& call) {
    if (call.query_out.rank == 3 && call.tokens.sequences <= 1) zero(call);
  };
  const auto call_of = [&](const ropewalk_kernel& kernel) {
    return measure(law, checked_rotation(kernel, promise::canonical, from.config, from.layout), test_case)
        .call;
  };
  EXPECT_EQ(call_of(cpu_table_kernel()), "");
  EXPECT_EQ(call_of(kernel_followed_by<zero_one_token>()), "token 0 alone");
  EXPECT_EQ(call_of(kernel_followed_by<zero_sequences>()), "sequences of 0, 1, 0, 3, 0 tokens");
  EXPECT_EQ(call_of(kernel_followed_by<zero_rank_3>()), "tensors of rank 3");
  ropewalk_kernel refusing = cpu_table_kernel();
  refusing.apply = [](const ropewalk_plan* plan, const ropewalk_head* call,
                      ropewalk_error* error) -> std::int32_t {
    const auto read = read_struct<ropewalk_rotation_call>(call, ROPEWALK_ROTATE, "call");
    if (read.query_out.shape[read.query_out.rank - 3] == 1) return ROPEWALK_INVALID_ARGUMENT;
    return cpu_table_kernel().apply(plan, call, error);
  };
  EXPECT_EQ(call_of(refusing), "token 0 alone");
}

TEST(Laws, SayWhichTokensACallHas) {
  law_case whole;
  whole.batch = 2;
  whole.tokens = 3;
  law_case part = whole;
  EXPECT_EQ(words_of(whole, whole, {.cuts = {1}}, 0), "one call to token 1, one from there on");
  EXPECT_EQ(words_of(whole, whole, {.part = token_range{2, 4}}, 0), "tokens 2 to 3 asked for alone");
  EXPECT_EQ(words_of(whole, whole, {.shared_positions = true}, 0), "one row of positions for all batch rows");
  part.in_place = true;
  EXPECT_EQ(words_of(whole, part, {.counted_positions = true}, 0),
            "positions counted by the kernel, in place");
  part = whole;
  part.batch = part.tokens = 1;
  EXPECT_EQ(words_of(whole, part, {}, 5), "token 2 of batch row 1 alone");
  part.tokens = 0;
  EXPECT_EQ(words_of(whole, part, {}, 3), "no token of batch row 1 alone");
}

TEST(Laws, FailWhereTheCallersEnvironmentIsChanged) {
  constexpr auto round_upward = [](const ropewalk_rotation_call&) {
    write_floating_registers(upward_floating_registers());
  };
  const example::encoding& from = example::encodings().front();
  const checked_rotation kernel(kernel_followed_by<round_upward>(), promise::canonical, from.config,
                                from.layout);
  const floating_registers before = read_floating_registers();
  for (const auto& law : rotation_laws::all) {
    const measurement measured = measure(law, kernel, example::case_for(law, from, ROPEWALK_F32, 1));
    EXPECT_FALSE(measured.holds) << law.name;
    EXPECT_NE(measured.trouble.find("floating environment"), std::string::npos) << measured.trouble;
  }
  EXPECT_TRUE(same_arithmetic(before, read_floating_registers()));
}

TEST(Laws, HoldInEveryEnvironmentOfTheCaller) {
  const example::encoding& from = example::encodings().back();
  const checked_rotation kernel(cpu_table_kernel(), promise::canonical, from.config, from.layout);
  for (const auto environment : {caller_environment::flushing, caller_environment::upward})
    for (const auto& law : rotation_laws::all) {
      law_case test_case = example::case_for(law, from, ROPEWALK_F32, 2);
      test_case.environment = environment;
      test_case.query_in.reversed = test_case.query_out.reversed = test_case.key_in.reversed = 13;
      test_case.query_out.gap = 3;
      EXPECT_TRUE(measure(law, kernel, test_case).holds) << law.name;
    }
}

/// The kernel's plan function refuses and still writes an address.
TEST(Laws, APlanThatWasRefusedIsNeverApplied) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.plan = [](const ropewalk_head*, ropewalk_plan** plan, ropewalk_error*) -> std::int32_t {
    *plan = reinterpret_cast<ropewalk_plan*>(std::uintptr_t{64});
    return ROPEWALK_OUT_OF_MEMORY;
  };
  const example::encoding& from = example::encodings().front();
  const checked_rotation checked(kernel, promise::canonical, from.config, from.layout);
  for (int twice = 0; twice < 2; ++twice)
    EXPECT_FALSE(measure(rotation_laws::canonical, checked,
                         example::case_for(rotation_laws::canonical, from, ROPEWALK_F32, 0))
                     .holds);
}

TEST(Laws, APlanThatIsMissingIsNeverApplied) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.plan = [](const ropewalk_head*, ropewalk_plan**, ropewalk_error*) -> std::int32_t {
    return ROPEWALK_OK;
  };
  const example::encoding& from = example::encodings().front();
  const checked_rotation checked(kernel, promise::canonical, from.config, from.layout);
  EXPECT_FALSE(measure(rotation_laws::canonical, checked,
                       example::case_for(rotation_laws::canonical, from, ROPEWALK_F32, 0))
                   .holds);
}

// ---- two kernels against each other ----

measurement compared(const ropewalk_kernel& kernel, const ropewalk_kernel& other, std::uint64_t seed) {
  const example::encoding& from = example::encodings().front();
  asked_calls calls;
  calls.same_as = &other;
  const checked_rotation checked(kernel, promise_of(kernel), from.config, from.layout, {}, calls);
  EXPECT_TRUE(rotation_laws::same_as.applies(checked));
  return measure(rotation_laws::same_as, checked,
                 example::case_for(rotation_laws::canonical, from, ROPEWALK_F32, seed));
}

TEST(SameAs, IsAskedOfNoKernelAlone) {
  const example::encoding& from = example::encodings().front();
  EXPECT_FALSE(rotation_laws::same_as.applies(
      checked_rotation(cpu_table_kernel(), promise::canonical, from.config, from.layout)));
}

TEST(SameAs, HoldsOfTwoCanonicalKernels) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const measurement measured = compared(cpu_table_kernel(), cpu_turns_kernel(), seed);
    EXPECT_TRUE(measured.holds) << seed << ": " << measured.trouble;
    EXPECT_GT(measured.compared, 0);
  }
}

/// The query's first element has another last bit.
TEST(SameAs, FailsOnOneBitWhicheverKernelHasIt) {
  constexpr auto change_a_bit = [](const ropewalk_rotation_call& call) {
    *static_cast<unsigned char*>(call.query_out.data) ^= 1;
  };
  const ropewalk_kernel right = cpu_table_kernel(), wrong = kernel_followed_by<change_a_bit>();
  for (const auto& [kernel, other] : {std::pair{&wrong, &right}, std::pair{&right, &wrong}}) {
    const measurement measured = compared(*kernel, *other, 1);
    EXPECT_FALSE(measured.holds);
    EXPECT_NE(measured.numbers.expected[0], measured.numbers.bits[0]);
  }
}

TEST(SameAs, ARefusalOfOneAloneFailsAndOfBothSaysNothing) {
  const ropewalk_kernel refusing = refusing_kernel<ROPEWALK_INVALID_ARGUMENT>();
  EXPECT_FALSE(compared(refusing, cpu_table_kernel(), 1).holds);
  const measurement by_other = compared(cpu_table_kernel(), refusing, 1);
  EXPECT_FALSE(by_other.holds);
  EXPECT_NE(by_other.trouble.find(std::string(refusing.name) + ": status"), std::string::npos)
      << by_other.trouble;
  const measurement both = compared(refusing, refusing, 1);
  EXPECT_TRUE(both.holds);
  EXPECT_EQ(both.compared, 0);
}

}  // namespace
}  // namespace ropewalk::laws_test
