#include "ropewalk/law/addition/position_kinds.hpp"

#include <cstddef>

#include "ropewalk/law/addition/sums.hpp"

namespace ropewalk {

/// Every element of the case with its positions in binary64 against the case with whole ones: equal bits.
///
/// domain  whole positions
template <floating_format Float>
measurement measure_sum_position_kinds(const checked_addition& kernel, const law_case& given) {
  law_case real = given;
  real.has_real_positions = true;
  measurement m;
  if (!kernel.served().allow(real)) return m;  // -2^31 is no real position
  const rotated whole = kernel.sums(given);
  detail::for_each_sum<Float>(
      kernel, real, kernel.sums(real), [&](const place& where, auto x, auto got, auto) {
        const std::size_t at = head_start(given, where) + static_cast<std::size_t>(where.channel);
        detail::judge_bits<Float>(m, where, x, static_cast<bits_of<Float>>(whole.query[at]), got);
      });
  return m;
}

measurement addition_laws::judge_position_kinds(const checked_addition& kernel, const law_case& given) {
  return with_format(given.dtype,
                     [&]<class Float>() { return measure_sum_position_kinds<Float>(kernel, given); });
}

}  // namespace ropewalk
