#include "ropewalk/law/kernel/position_kinds.hpp"

#include "ropewalk/law/kernel/prefill_decode.hpp"

namespace ropewalk {

/// The case with its positions in binary64 against the case with whole ones: equal bits, or agreement_bound.
///
/// domain  whole positions
template <floating_format Float>
measurement measure_position_kinds(const checked_rotation& kernel, const law_case& given) {
  law_case real = given;
  real.has_real_positions = true;
  measurement m;
  if (!kernel.served().allow(real)) return m;  // -2^31 is no real position
  detail::judge_part<Float>(m, kernel, given, kernel.turned(given), given, kernel.turned(real), 0, 0);
  return m;
}

measurement rotation_laws::judge_position_kinds(const checked_rotation& kernel, const law_case& given) {
  return with_format(given.dtype,
                     [&]<class Float>() { return measure_position_kinds<Float>(kernel, given); });
}

}  // namespace ropewalk
