#include "ropewalk/law/addition/non_finite.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Every element against the same call with finite values in place of the non-finite ones, which must
/// themselves come out unchanged.
template <floating_format Float>
measurement measure_non_finite_sum(const checked_addition& kernel, const law_case& test_case) {
  const rotated finite = kernel.sums(with_finite_values<Float>(test_case));
  measurement measured;
  for_each_sum<Float>(
      kernel, test_case, kernel.sums(test_case), [&](const place& where, auto x, auto got, auto) {
        const std::size_t at = head_start(test_case, where) + static_cast<std::size_t>(where.channel);
        judge_bits<Float>(measured, where, x,
                          is_finite<Float>(x) ? static_cast<bits_of<Float>>(finite.query[at]) : x, got);
      });
  return measured;
}

}  // namespace detail

measurement addition_laws::judge_non_finite(const checked_addition& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return detail::measure_non_finite_sum<Float>(kernel, test_case); });
}

}  // namespace ropewalk
