#include "ropewalk/law/addition/same_as.hpp"

#include "ropewalk/law/kernel/other_answer.hpp"

namespace ropewalk {

/// Every channel of every row.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_same_sums(const checked_addition& kernel, const law_case& test_case) {
  const checked_addition other = kernel.same_as().value();
  const auto answers = detail::both_answers([&] { return kernel.sums(test_case); },
                                            [&] { return other.sums(test_case); }, other.name());
  measurement measured;
  if (!answers) return measured;
  detail::compare_channels<Float>(measured, test_case, *answers, [](int) { return true; });
  return measured;
}

measurement addition_laws::judge_same_as(const checked_addition& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_same_sums<Float>(kernel, test_case); });
}

}  // namespace ropewalk
