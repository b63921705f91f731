#include "ropewalk/law/kernel/position_kinds.hpp"

#include "ropewalk/law/kernel/prefill_decode.hpp"

namespace ropewalk {

/// The case with its positions in binary64 against the case with whole ones: equal bits, or agreement_bound.
///
/// domain  whole positions
template <floating_format Float>
measurement measure_position_kinds(const checked_rotation& kernel, const law_case& test_case) {
  law_case real = test_case;
  real.has_real_positions = true;
  measurement measured;
  if (!kernel.served().allow(real)) return measured;  // -2^31 is not a real position
  detail::judge_part<Float>(measured, kernel, test_case, kernel.turned(test_case), test_case,
                            kernel.turned(real), 0, 0);
  return measured;
}

measurement rotation_laws::judge_position_kinds(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_position_kinds<Float>(kernel, test_case); });
}

}  // namespace ropewalk
