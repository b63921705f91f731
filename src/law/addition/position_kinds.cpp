#include "ropewalk/law/addition/position_kinds.hpp"

#include <cstddef>

#include "ropewalk/law/addition/sums.hpp"

namespace ropewalk {

/// Every element of the case with its positions in binary64 against the case with whole ones: equal bits.
///
/// domain  whole positions
template <floating_format Float>
measurement measure_sum_position_kinds(const checked_addition& kernel, const law_case& test_case) {
  law_case real = test_case;
  real.has_real_positions = true;
  measurement measured;
  if (!kernel.served().allow(real)) return measured;  // -2^31 is not a real position
  const rotated whole = kernel.sums(test_case);
  detail::for_each_sum<Float>(
      kernel, real, kernel.sums(real), [&](const place& where, auto x, auto got, auto) {
        const std::size_t at = head_start(test_case, where) + static_cast<std::size_t>(where.channel);
        detail::judge_bits<Float>(measured, where, x, static_cast<bits_of<Float>>(whole.query[at]), got);
      });
  return measured;
}

measurement addition_laws::judge_position_kinds(const checked_addition& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_sum_position_kinds<Float>(kernel, test_case); });
}

}  // namespace ropewalk
