#include "ropewalk/law/addition/pass_through.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_copied(const checked_addition& kernel, const law_case& test_case) {
  measurement measured;
  for_each_sum<Float>(kernel, test_case, kernel.sums(test_case),
                      [&](const place& where, auto x, auto got, auto) {
                        if (where.channel >= kernel.truth().added())
                          record(measured, judge_equal(x == got), where, [&] {
                            return evidence{dtype_of<Float>, 1, {x}, {x}, {got}};
                          });
                      });
  return measured;
}

}  // namespace detail

measurement addition_laws::judge_pass_through(const checked_addition& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return detail::measure_copied<Float>(kernel, test_case); });
}

}  // namespace ropewalk
