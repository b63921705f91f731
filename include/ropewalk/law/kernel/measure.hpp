#pragma once
// Measures a law on one case of a kernel, whatever the kernel does.

#include <concepts>
#include <stdexcept>

#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/law/kernel/checked_kernel.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

inline measurement declined_measurement(const std::string& trouble) {
  measurement m;
  m.declined = true;
  m.trouble = trouble;
  return m;
}

}  // namespace detail

/// Result of a law for one case. A kernel that refuses the call breaks the law; one that does not serve it,
/// or whose promise has no bound for it, has declined. A call without an answer neither holds nor fails.
///
/// throws  undecided, also where the kernel answers ROPEWALK_UNDECIDED; case_set_aside; answer_awaited
template <std::derived_from<checked_kernel> Kernel>
measurement measure(const law<Kernel>& of, const Kernel& kernel, const law_case& given) {
  const default_floating_environment judges_own;
  detail::are_bits_other = false;
  try {
    measurement m = with_every_answer([&] { return of.measure(kernel, given); });
    m.has_other_bits = m.has_other_bits || detail::are_bits_other;
    if (detail::are_bits_other && m.holds && promises_bits(kernel.promised())) {
      m.holds = false;
      m.trouble = detail::other_bits;
    }
    return m;
  } catch (const unanswered_call& none) {
    measurement m;
    m.unanswered = true;
    m.trouble = none.what();
    return m;
  } catch (const kernel_trouble& trouble) {
    if (trouble.status() == ROPEWALK_UNDECIDED) throw undecided("the kernel's rounding");
    measurement m = detail::declined_measurement(trouble.what());
    m.call = trouble.call();
    m.declined = m.holds = trouble.status() == ROPEWALK_UNSUPPORTED;
    return m;
  } catch (const std::invalid_argument&) {
    if (kernel.has_bound(given.dtype)) throw;
    return detail::declined_measurement({});
  }
}

}  // namespace ropewalk
