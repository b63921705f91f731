#pragma once
// A kernel's answer to one call, and its comparison with another kernel's answer.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"

namespace ropewalk::diagnosis {

/// Both output tensors, or the reason why there are none.
struct answer {
  std::optional<rotated> done;
  // Status of a call without tensors; ROPEWALK_OK if the kernel broke a rule of the interface instead.
  std::int32_t status = ROPEWALK_OK;
  std::string trouble{};
};

/// The kernel's answer to one call, including refusals and broken rules.
///
/// throws  unanswered_call, and nothing else because of the kernel
answer answer_of(const checked_rotation& kernel, const law_case& test_case, const call_form& form = {});
answer answer_of(const checked_addition& kernel, const law_case& test_case, const call_form& form = {});

/// Location of one element of a case.
struct element {
  place where;            // with its channel, and its pair if it is rotated
  std::size_t index = 0;  // in the dense tensor
};

/// Elements in which two answers to one call differ. If the kernel promises bits, their bits differ;
/// otherwise they differ by more than two kernels that keep the promise can. Skips elements without a bound.
///
/// domain  both answers have tensors
/// error   distances are computed in binary64, to a few ulps of the bound
std::vector<element> differences(const checked_rotation& judged, const law_case& test_case, const rotated& a,
                                 const rotated& b);
std::vector<element> differences(const checked_addition& judged, const law_case& test_case, const rotated& a,
                                 const rotated& b);

/// Elements whose bits differ between two answers to one call; all NaNs are equal.
///
/// domain  both answers have tensors
std::vector<element> other_bits_in(const checked_rotation& judged, const law_case& test_case,
                                   const rotated& a, const rotated& b);
std::vector<element> other_bits_in(const checked_addition& judged, const law_case& test_case,
                                   const rotated& a, const rotated& b);

/// Whether two answers agree: tensors without differences, the same refusal, or the same broken rule.
template <class Kernel>
bool agree(const Kernel& judged, const law_case& test_case, const answer& a, const answer& b) {
  if (a.done && b.done) return differences(judged, test_case, *a.done, *b.done).empty();
  if (a.done || b.done || a.status != b.status) return false;
  return a.status != ROPEWALK_OK || a.trouble == b.trouble;
}

}  // namespace ropewalk::diagnosis
