// The laws of additions: the canonical kernels keep them, and each is shown to
// fail on a kernel with the matching fault.

#include "ropewalk/law/addition_laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
      std::make_shared<const addition_truth>(alibi{.heads = 6, .form = alibi_form::symmetric}, 13),
      std::make_shared<const addition_truth>(alibi{.heads = 6, .form = alibi_form::key}, 13),
      std::make_shared<const addition_truth>(alibi{.heads = 6, .form = alibi_form::last_key}, 13)};
  return all;
}

const law<checked_addition>& named(std::string_view name) {
  for (const auto& type : addition_laws::all)
    if (type.name == name) return type;
  throw std::invalid_argument(std::string(name));
}

/// Whether a law holds for a kernel on every subject of its operation.
bool holds(const law<checked_addition>& law, const ropewalk_kernel& kernel, ropewalk_dtype dtype,
           std::int64_t cases = 300) {
  bool all = true;
  for (const auto& subject : subjects()) {
    if (subject->operation() != kernel.operation) continue;
    const checked_addition checked(kernel, promise::canonical, subject);
    if (!law.applies(checked)) continue;
    const std::atomic<bool> stopped{false};
    const search::outcome outcome = search::search(law, checked, dtype, 1, {cases, cases}, stopped);
    EXPECT_EQ(outcome.declined, 0);
    all = all && outcome.holds();
  }
  return all;
}

TEST(AdditionLaws, TheCanonicalKernelsKeepThem) {
  for (const ropewalk_kernel& kernel : addition_kernels())
    for (const auto& law : addition_laws::all)
      for (const ropewalk_dtype dtype : all_dtypes)
        EXPECT_TRUE(holds(law, kernel, dtype, 100))
            << kernel.name << ' ' << law.name << ' ' << name_of(dtype);
}

/// With 8 heads a bias is exact in binary64, so a canonical binary64 sum is rounded once. A binary32 sum adds
/// a bias that has been rounded already.
TEST(AdditionLaws, ThePromiseToBeExactIsHalfAUnitInTheLastPlace) {
  const checked_addition kernel(alibi_add_kernels().front(), promise::exact,
                                std::make_shared<const addition_truth>(alibi{.heads = 8}, 13));
  for (const ropewalk_dtype dtype : {ROPEWALK_F64, ROPEWALK_F32}) {
    const std::atomic<bool> stopped{false};
    const search::outcome outcome = search::search(named("accuracy"), kernel, dtype, 1, {300, 300}, stopped);
    EXPECT_EQ(outcome.holds(), dtype == ROPEWALK_F64) << name_of(dtype);
    EXPECT_EQ(outcome.worst.bound, 0.5);
    EXPECT_EQ(outcome.worst.worst <= 1, dtype == ROPEWALK_F64) << outcome.worst.worst;
  }
}

struct caught {
  std::string_view law;
  std::string_view fault;
};

// Other faults than the one that a law names.
constexpr caught more_caught_faults[] = {
    {"canonical", "fault-alibi-exponent-from-zero"},
    {"accuracy", "fault-alibi-exponent-from-zero"},
    {"accuracy", "fault-alibi-heads-sorted"},
    {"accuracy", "fault-alibi-causal"},
    {"accuracy", "fault-alibi-symmetric"},
    {"accuracy", "fault-alibi-key"},
    {"accuracy", "fault-alibi-last-key"},
    {"accuracy", "fault-alibi-falcon"},
    {"accuracy", "fault-sinusoidal-swapped"},
};

/// The fault that each law names, then the others.
std::vector<caught> caught_additions() {
  std::vector<caught> additions;
  for (const auto& law : addition_laws::all) additions.push_back({law.name, law.catches});
  additions.insert(additions.end(), std::begin(more_caught_faults), std::end(more_caught_faults));
  return additions;
}

TEST(AdditionLaws, EachIsBrokenByTheMatchingFault) {
  for (const caught& addition : caught_additions()) {
    const auto kernels = fault::addition_fault_kernels();
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const ropewalk_kernel& k) { return k.name == addition.fault; });
    ASSERT_NE(kernel, kernels.end()) << addition.law << " names no fault that it catches: " << addition.fault;
    EXPECT_FALSE(holds(named(addition.law), *kernel, ROPEWALK_BF16)) << addition.fault << ' ' << addition.law;
  }
}

TEST(AdditionLaws, CatchEveryFault) {
  const std::vector<caught> all = caught_additions();
  for (const ropewalk_kernel& kernel : fault::addition_fault_kernels())
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const caught& caught) {
      return caught.fault == kernel.name;
    })) << kernel.name;
}

}  // namespace
}  // namespace ropewalk::test
