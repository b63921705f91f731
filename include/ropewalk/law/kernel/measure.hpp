#pragma once
// Measures a law on one case of a kernel, and handles every failure of a call.

#include <concepts>
#include <stdexcept>

#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/law/kernel/call_record.hpp"
#include "ropewalk/law/kernel/checked_kernel.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

inline measurement declined_measurement(const std::string& trouble) {
  measurement measured;
  measured.declined = true;
  measured.trouble = trouble;
  return measured;
}

}  // namespace detail

/// Result of a law for one case. A kernel that refuses the call breaks the law. A kernel that does not serve
/// the call, or whose promise has no bound for it, declines. A call without an answer neither holds nor
/// fails.
///
/// domain  record: without facts and calls of other measurements
/// throws  undecided, also if the kernel returns ROPEWALK_UNDECIDED; case_set_aside; answer_awaited
template <std::derived_from<checked_kernel> Kernel>
measurement measure(const law<Kernel>& law, const Kernel& kernel, const law_case& test_case,
                    call_record& record) {
  const default_floating_environment judges_own;
  try {
    measurement measured = with_every_answer(
        kernel, record, [&](const Kernel& recorded) { return law.measure(recorded, test_case); });
    measured.has_other_bits = measured.has_other_bits || record.are_bits_other;
    if (record.are_bits_other && measured.holds && promises_bits(kernel.promised())) {
      measured.holds = false;
      measured.trouble = detail::other_bits;
    }
    return measured;
  } catch (const unanswered_call& none) {
    measurement measured;
    measured.unanswered = true;
    measured.trouble = none.what();
    return measured;
  } catch (const kernel_trouble& trouble) {
    if (trouble.status() == ROPEWALK_UNDECIDED) throw undecided("the kernel's rounding");
    measurement measured = detail::declined_measurement(trouble.what());
    measured.call = trouble.call();
    measured.declined = measured.holds = trouble.status() == ROPEWALK_UNSUPPORTED;
    return measured;
  } catch (const std::invalid_argument&) {
    if (kernel.has_bound(test_case.dtype)) throw;
    return detail::declined_measurement({});
  }
}

/// The same without a record.
template <std::derived_from<checked_kernel> Kernel>
measurement measure(const law<Kernel>& law, const Kernel& kernel, const law_case& test_case) {
  call_record record;
  return measure(law, kernel, test_case, record);
}

}  // namespace ropewalk
