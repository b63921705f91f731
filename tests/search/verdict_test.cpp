// Verdicts: honest kernels hold whatever path they take. Kernels that are not reproducible, leave roundings
// undecided or write where they must not are reported as such.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "fault/canonical_steps.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

const std::atomic<bool> is_stopped{false};

const rope example_encoding{.base = 10000, .rotary_dim = 16};
constexpr head_layout example_layout{24};

outcome judged(const ropewalk_kernel& kernel, promise promised, const law<checked_rotation>& law,
               ropewalk_dtype dtype, std::uint64_t seed) {
  const checked_rotation checked(kernel, promised, example_encoding, example_layout);
  return search(law, checked, dtype, seed, {200, 200}, is_stopped);
}

/// Cosines and sines rounded to the data's format, and every product and sum
/// as well: honest under dtype-table.
struct steps_in_dtype : fault::canonical_steps {
  template <floating_format Float>
  bits_pair<Float> turn(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) const {
    const bits_of<Float> c = convert<Float, rotation_format<Float>>(cos_sin.first),
                         s = convert<Float, rotation_format<Float>>(cos_sin.second);
    return {subtract<Float>(multiply<Float>(x.first, c), multiply<Float>(x.second, s)),
            add<Float>(multiply<Float>(x.first, s), multiply<Float>(x.second, c))};
  }
};

TEST(Verdict, AKernelThatRotatesInTheDatasFormatIsLinear) {
  const ropewalk_kernel kernel = fault::kernel_with<steps_in_dtype>("in-dtype");
  for (const ropewalk_dtype dtype : {ROPEWALK_F16, ROPEWALK_BF16, ROPEWALK_F32})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const outcome outcome = judged(kernel, promise::dtype_table, rotation_laws::linearity, dtype, seed);
      EXPECT_TRUE(outcome.holds()) << name_of(dtype) << ", seed " << seed;
      EXPECT_FALSE(outcome.says_nothing()) << name_of(dtype) << ", seed " << seed;
    }
}

/// Plans of two kernels: correctly rounded for calls without a NaN, canonical for the
/// others. Both are honest under rounded-table.
struct two_paths {
  ropewalk_plan* finite = nullptr;
  ropewalk_plan* other = nullptr;
};

bool has_nan(const ropewalk_tensor& tensor) {
  if (tensor.data == nullptr || tensor.dtype != ROPEWALK_F32) return false;
  for (std::int64_t b = 0; b < tensor.shape[0]; ++b)
    for (std::int64_t t = 0; t < tensor.shape[1]; ++t)
      for (std::int64_t h = 0; h < tensor.shape[2]; ++h)
        for (std::int64_t c = 0; c < tensor.shape[3]; ++c) {
          std::uint32_t bits = 0;
          const std::int64_t at =
              b * tensor.stride[0] + t * tensor.stride[1] + h * tensor.stride[2] + c * tensor.stride[3];
          std::memcpy(&bits, static_cast<const char*>(tensor.data) + at * 4, sizeof bits);
          if (is_nan<float>(bits)) return true;
        }
  return false;
}

ropewalk_kernel kernel_of_two_paths() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.plan = [](const ropewalk_head* head, ropewalk_plan** plan, ropewalk_error* error) -> std::int32_t {
    auto* paths = new two_paths;
    *plan = reinterpret_cast<ropewalk_plan*>(paths);
    const std::int32_t status = exact_kernel().plan(head, &paths->finite, error);
    return status != ROPEWALK_OK ? status : cpu_table_kernel().plan(head, &paths->other, error);
  };
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const auto* paths = reinterpret_cast<const two_paths*>(plan);
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    return has_nan(call.query_in) ? cpu_table_kernel().apply(paths->other, head, error)
                                  : exact_kernel().apply(paths->finite, head, error);
  };
  kernel.free_plan = [](ropewalk_plan* plan) {
    auto* paths = reinterpret_cast<two_paths*>(plan);
    exact_kernel().free_plan(paths->finite);
    cpu_table_kernel().free_plan(paths->other);
    delete paths;
  };
  return kernel;
}

TEST(Verdict, ABoundedKernelMayTakeAnotherPathForANan) {
  const outcome outcome =
      judged(kernel_of_two_paths(), promise::rounded_table, rotation_laws::non_finite, ROPEWALK_F32, 1);
  EXPECT_TRUE(outcome.holds());
  EXPECT_FALSE(outcome.says_nothing());
  EXPECT_FALSE(
      judged(kernel_of_two_paths(), promise::canonical, rotation_laws::non_finite, ROPEWALK_F32, 1).holds());
}

/// A kernel that answers every second call with a zero in the first element of the query.
ropewalk_kernel wavering_kernel() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    static std::atomic<int> calls{0};
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const auto size = static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(call.query_out.dtype)));
    if (calls++ % 2 == 1) std::memset(call.query_out.data, 0, size);
    return status;
  };
  return kernel;
}

TEST(Verdict, AKernelThatAnswersOtherwiseEachTimeIsNotReproducible) {
  const checked_rotation kernel(wavering_kernel(), promise::canonical, example_encoding, example_layout);
  outcome outcome = search(rotation_laws::norm, kernel, ROPEWALK_F32, 1, {200, 200}, is_stopped);
  ASSERT_TRUE(outcome.failure);
  EXPECT_FALSE(outcome.failure->is_reproducible);
  shrink(rotation_laws::norm, kernel, 1, *outcome.failure, is_stopped);
  EXPECT_EQ(outcome.failure->shrinks, 0);
}

/// A kernel whose process answers so many calls, and no more. If it is faulty, the first element is wrong.
template <int Answered, bool IsFaulty>
ropewalk_kernel silent_kernel() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    static std::atomic<int> calls{0};
    if (calls++ >= Answered) {
      std::snprintf(error->text, sizeof error->text, "the process was ended by signal 11 (SIGSEGV)");
      return unanswered_status;
    }
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto size = static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(call.query_out.dtype)));
    if (IsFaulty) std::memset(call.query_out.data, 0x40, size);
    return status;
  };
  return kernel;
}

TEST(Verdict, ACallWithoutAnAnswerNeitherHoldsNorFails) {
  const checked_rotation kernel(silent_kernel<60, false>(), promise::canonical, example_encoding,
                                example_layout);
  const outcome outcome = search(rotation_laws::accuracy, kernel, ROPEWALK_F32, 1, {200, 200}, is_stopped);
  EXPECT_FALSE(outcome.failure);
  EXPECT_EQ(outcome.unanswered, most_unanswered);
  EXPECT_GT(outcome.cases, 0);
  EXPECT_EQ(outcome.cases + outcome.unanswered + outcome.declined, outcome.drawn);
  ASSERT_TRUE(outcome.first_unanswered);
  EXPECT_EQ(outcome.first_unanswered->measured.trouble, "the process was ended by signal 11 (SIGSEGV)");
  EXPECT_EQ(outcome.first_unanswered->case_number, outcome.drawn - most_unanswered);
}

TEST(Verdict, AFailureWithoutAnAnswerWhenItIsRepeatedStaysOne) {
  const checked_rotation kernel(silent_kernel<1, true>(), promise::canonical, example_encoding,
                                example_layout);
  outcome outcome = search(rotation_laws::norm, kernel, ROPEWALK_F32, 1, {200, 200}, is_stopped);
  ASSERT_TRUE(outcome.failure);
  EXPECT_TRUE(outcome.failure->is_reproducible);
  shrink(rotation_laws::norm, kernel, 1, *outcome.failure, is_stopped);
  EXPECT_EQ(outcome.failure->shrinks, 0);
  EXPECT_EQ(outcome.failure->smallest, outcome.failure->original);
}

TEST(Verdict, OtherBitsOfARepeatedCallAreAFault) {
  const checked_rotation kernel(wavering_kernel(), promise::canonical, example_encoding, example_layout);
  const outcome outcome = search(rotation_laws::accuracy, kernel, ROPEWALK_F32, 1, {200, 200}, is_stopped);
  ASSERT_TRUE(outcome.failure);
  EXPECT_TRUE(outcome.failure->is_reproducible);
  EXPECT_EQ(outcome.failure->measured.trouble,
            "the kernel gave other bits when the same call was made again");
}

TEST(Verdict, AFaultIsReproducible) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    std::memset(call.query_out.data, 0, 1);
    return status;
  };
  const outcome outcome = judged(kernel, promise::canonical, rotation_laws::canonical, ROPEWALK_F32, 1);
  ASSERT_TRUE(outcome.failure);
  EXPECT_TRUE(outcome.failure->is_reproducible);
}

TEST(Verdict, ARoundingThatTheKernelDoesNotDecideIsUndecidedAndNoFault) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan*, const ropewalk_head*, ropewalk_error*) -> std::int32_t {
    return ROPEWALK_UNDECIDED;
  };
  const outcome outcome = judged(kernel, promise::canonical, rotation_laws::accuracy, ROPEWALK_F64, 1);
  EXPECT_FALSE(outcome.failure);
  EXPECT_FALSE(outcome.undecided.empty());
}

TEST(Verdict, AWriteIntoThePaddingOfTheInputIsSeen) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const ropewalk_tensor& in = call.query_in;
    if (call.query_out.data != in.data && in.stride[3] == 1 && in.stride[2] > in.shape[3])
      static_cast<char*>(in.data)[in.shape[3] * size_of(static_cast<ropewalk_dtype>(in.dtype))] = 0;
    return status;
  };
  const outcome outcome = judged(kernel, promise::canonical, rotation_laws::accuracy, ROPEWALK_F32, 1);
  ASSERT_TRUE(outcome.failure);
  EXPECT_NE(outcome.failure->measured.trouble.find("changed the input"), std::string::npos)
      << outcome.failure->measured.trouble;
}

TEST(Verdict, AnInvalidCallThatIsRefusedAfterSomethingWasWrittenIsSeen) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto* call = reinterpret_cast<const ropewalk_rotation_call*>(head);
    if (status != ROPEWALK_OK && call->tokens.begin > call->tokens.end)
      std::memset(call->query_out.data, 0, 1);
    return status;
  };
  const outcome outcome = judged(kernel, promise::canonical, rotation_laws::refusals, ROPEWALK_F32, 1);
  ASSERT_TRUE(outcome.failure);
  EXPECT_NE(outcome.failure->measured.trouble.find("something was written"), std::string::npos);
}

TEST(Verdict, TheNormThatWasExpectedIsShown) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const float large = 1000;
    std::memcpy(call.query_out.data, &large, sizeof large);
    return status;
  };
  const outcome outcome = judged(kernel, promise::canonical, rotation_laws::norm, ROPEWALK_F32, 1);
  ASSERT_TRUE(outcome.failure);
  const evidence& evidence = outcome.failure->measured.numbers;
  EXPECT_EQ(evidence.count, 1);
  EXPECT_EQ(evidence.dtype, ROPEWALK_F64);
  EXPECT_GE(from_bits<double>(evidence.bits[0]), 1000);
  EXPECT_LT(from_bits<double>(evidence.expected[0]), from_bits<double>(evidence.bits[0]));
}

}  // namespace
}  // namespace ropewalk::search
