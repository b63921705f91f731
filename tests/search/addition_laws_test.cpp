// The laws of kernels that add: the canonical kernels keep them, and each is shown failing on a kernel with the matching fault.

#include "ropewalk/law/addition_laws.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string_view>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "search/search.hpp"

namespace ropewalk::test {
namespace {

using truths = std::vector<std::shared_ptr<const addition_truth>>;

const truths& subjects() {
  static const truths all{
      std::make_shared<const addition_truth>(sinusoidal{.d_model = 17, .odd = odd_width::zero}),
      std::make_shared<const addition_truth>(alibi{.heads = 6}, 13),
      std::make_shared<const addition_truth>(alibi{.heads = 6, .form = alibi_form::symmetric}, 13)};
  return all;
}

const law<held_addition>& named(std::string_view name) {
  for (const auto& one : addition_laws::all)
    if (one.name == name) return one;
  throw std::invalid_argument(std::string(name));
}

/// Whether a law holds of a kernel on every subject of its operation.
bool holds(const law<held_addition>& of, const ropewalk_kernel& kernel, ropewalk_dtype dtype) {
  bool all = true;
  for (const auto& subject : subjects()) {
    if (subject->operation() != kernel.operation) continue;
    const held_addition held(kernel, promise::canonical, subject);
    if (!of.applies(held)) continue;
    const std::atomic<bool> stopped{false};
    const search::outcome found = search::search(of, held, dtype, 1, {300, 300}, stopped);
    EXPECT_EQ(found.declined, 0);
    all = all && found.holds();
  }
  return all;
}

TEST(AdditionLaws, TheCanonicalKernelsKeepThem) {
  for (const ropewalk_kernel& kernel : addition_kernels())
    for (const auto& one : addition_laws::all)
      for (const ropewalk_dtype dtype : all_dtypes)
        EXPECT_TRUE(holds(one, kernel, dtype)) << kernel.name << ' ' << one.name << ' ' << name_of(dtype);
}

/// With 8 heads a bias is a binary64 number, so that a canonical sum of binary64 is rounded once; one of binary32 adds a bias
/// that has been rounded itself.
TEST(AdditionLaws, ThePromiseToBeExactIsHalfAUnitInTheLastPlace) {
  const held_addition held(alibi_add_kernels().front(), promise::exact,
                           std::make_shared<const addition_truth>(alibi{.heads = 8}, 13));
  for (const ropewalk_dtype dtype : {ROPEWALK_F64, ROPEWALK_F32}) {
    const std::atomic<bool> stopped{false};
    const search::outcome found = search::search(named("accuracy"), held, dtype, 1, {300, 300}, stopped);
    EXPECT_EQ(found.holds(), dtype == ROPEWALK_F64) << name_of(dtype);
    EXPECT_EQ(found.worst.bound, 0.5);
    EXPECT_EQ(found.worst.worst <= 1, dtype == ROPEWALK_F64) << found.worst.worst;
  }
}

struct caught {
  std::string_view fault;
  std::string_view law;
};

constexpr caught faults[] = {
    {"fault-alibi-exponent-from-zero", "canonical"},  {"fault-alibi-exponent-from-zero", "accuracy"},
    {"fault-alibi-heads-sorted", "accuracy"},         {"fault-alibi-symmetric-as-causal", "accuracy"},
    {"fault-sinusoidal-off-by-one", "accuracy"},      {"fault-sinusoidal-swapped", "accuracy"},
    {"fault-sinusoidal-batch-row", "prefill-decode"}, {"fault-sinusoidal-rest-zeroed", "pass-through"},
    {"fault-sinusoidal-nan-spreads", "non-finite"},   {"fault-sinusoidal-row-in-dtype", "canonical"},
    {"fault-sinusoidal-any-range", "refusals"},
};

TEST(AdditionLaws, EachIsBrokenByTheMatchingFault) {
  for (const caught& one : faults) {
    const auto kernels = fault::addition_fault_kernels();
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const ropewalk_kernel& k) { return k.name == one.fault; });
    ASSERT_NE(kernel, kernels.end()) << one.fault;
    EXPECT_FALSE(holds(named(one.law), *kernel, ROPEWALK_BF16)) << one.fault << ' ' << one.law;
  }
}

TEST(AdditionLaws, EveryLawAndEveryFaultIsAmongThem) {
  for (const auto& of : addition_laws::all)
    EXPECT_TRUE(std::any_of(std::begin(faults), std::end(faults), [&](const caught& one) {
      return one.law == of.name;
    })) << of.name;
  for (const ropewalk_kernel& kernel : fault::addition_fault_kernels())
    EXPECT_TRUE(std::any_of(std::begin(faults), std::end(faults), [&](const caught& one) {
      return one.fault == kernel.name;
    })) << kernel.name;
}

}  // namespace
}  // namespace ropewalk::test
