#include "ropewalk/law/addition/same_as.hpp"

#include "ropewalk/law/kernel/other_answer.hpp"

namespace ropewalk {

/// Every channel of every row.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_same_sums(const checked_addition& kernel, const law_case& given) {
  const checked_addition& other = *kernel.same_as();
  const auto answers = detail::both_answers([&] { return kernel.sums(given); },
                                            [&] { return other.sums(given); }, other.name());
  measurement m;
  if (!answers) return m;
  detail::compare_channels<Float>(m, given, *answers, [](int) { return true; });
  return m;
}

measurement addition_laws::judge_same_as(const checked_addition& kernel, const law_case& given) {
  return with_format(given.dtype, [&]<class Float>() { return measure_same_sums<Float>(kernel, given); });
}

}  // namespace ropewalk
