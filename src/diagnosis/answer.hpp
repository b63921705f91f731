#pragma once
// A kernel's answer to one call, and its comparison with another kernel's answer.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"

namespace ropewalk::diagnosis {

/// Both output tensors, or the reason for their absence.
struct answer {
  std::optional<rotated> done;
  // What a call without tensors returned; ROPEWALK_OK if the kernel broke a rule of the interface instead.
  std::int32_t status = ROPEWALK_OK;
  std::string trouble{};
};

/// The kernel's answer to one call. Refusals and broken rules are recorded in it.
///
/// throws  unanswered_call, and nothing else that the kernel causes
answer answer_of(const checked_rotation& kernel, const law_case& test_case, const call_form& form = {});
answer answer_of(const checked_addition& kernel, const law_case& test_case, const call_form& form = {});

/// The place of one element of a case.
struct element {
  place where;            // with its channel, and its pair if it is rotated
  std::size_t index = 0;  // in the dense tensor
};

/// Elements in which two answers to one call differ: in their bits if the kernel promises bits, otherwise by
/// more than two kernels may differ that both keep the promise. Elements without a bound are skipped.
///
/// domain  both answers have tensors
/// error   distances are computed in binary64, to a few ulps of the bound
std::vector<element> differences(const checked_rotation& judged, const law_case& test_case, const rotated& a,
                                 const rotated& b);
std::vector<element> differences(const checked_addition& judged, const law_case& test_case, const rotated& a,
                                 const rotated& b);

/// Elements in which two answers to one call differ in their bits; every NaN equals every NaN.
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
