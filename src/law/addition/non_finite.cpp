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
measurement measure_non_finite_sum(const checked_addition& kernel, const law_case& given) {
  const rotated finite = kernel.sums(with_finite_values<Float>(given));
  measurement m;
  for_each_sum<Float>(kernel, given, kernel.sums(given), [&](const place& where, auto x, auto got, auto) {
    const std::size_t at = head_start(given, where) + static_cast<std::size_t>(where.channel);
    judge_bits<Float>(m, where, x, is_finite<Float>(x) ? static_cast<bits_of<Float>>(finite.query[at]) : x,
                      got);
  });
  return m;
}

}  // namespace detail

measurement addition_laws::judge_non_finite(const checked_addition& kernel, const law_case& given) {
  return with_format(given.dtype,
                     [&]<class Float>() { return detail::measure_non_finite_sum<Float>(kernel, given); });
}

}  // namespace ropewalk
