#include "ropewalk/law/kernel/refusals.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "ropewalk/law/addition/refusals.hpp"
#include "ropewalk/law/judge/measurement.hpp"

namespace ropewalk {

/// Every invalid call derived from the case must return ROPEWALK_INVALID_ARGUMENT or ROPEWALK_UNSUPPORTED,
/// and change no byte.
template <class Kernel>
measurement measure_refusals(const Kernel& kernel, const law_case& test_case) {
  measurement measured;
  kernel.ask_invalid(test_case, [&](std::string_view words, std::int32_t status, bool was_written) {
    const bool is_refused = status == ROPEWALK_INVALID_ARGUMENT || status == ROPEWALK_UNSUPPORTED;
    const bool holds = is_refused && !was_written;
    if (!holds && measured.trouble.empty())
      measured.trouble =
          std::string(words) + (is_refused ? ": refused, but something was written"
                                           : ": status " + std::to_string(status) + ", not refused");
    record(measured, judge_equal(holds), {}, [] { return evidence{}; });
  });
  return measured;
}

measurement rotation_laws::judge_refusals(const checked_rotation& kernel, const law_case& test_case) {
  return measure_refusals(kernel, test_case);
}

measurement addition_laws::judge_refusals(const checked_addition& kernel, const law_case& test_case) {
  return measure_refusals(kernel, test_case);
}

}  // namespace ropewalk
