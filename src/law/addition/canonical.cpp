#include "ropewalk/law/addition/canonical.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_canonical_sum(const checked_addition& kernel, const law_case& test_case) {
  measurement measured;
  for_each_sum<Float>(kernel, test_case, kernel.sums(test_case),
                      [&](const place& where, auto x, auto got, auto entry) {
                        if (where.channel < kernel.truth().added())
                          judge_bits<Float>(measured, where, x, add_entry<Float>(x, entry), got);
                      });
  return measured;
}

}  // namespace detail

measurement addition_laws::judge_canonical(const checked_addition& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return detail::measure_canonical_sum<Float>(kernel, test_case); });
}

}  // namespace ropewalk
