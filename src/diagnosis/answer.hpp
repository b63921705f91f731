#pragma once
// What a kernel gave for one call, and whether another kernel gave the same.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ropewalk/law/addition/held_addition.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"

namespace ropewalk::diagnosis {

/// Both tensors, or why there are none.
struct answer {
  std::optional<rotated> done;
  std::int32_t status =
      ROPEWALK_OK;  // of a call that was not answered; ROPEWALK_OK where the kernel did what it may not
  std::string trouble{};
};

/// throws  nothing of the kernel's doing
answer answer_of(const held_rotation& kernel, const law_case& given);
answer answer_of(const held_addition& kernel, const law_case& given);

/// One number of a case, and where it stands.
struct element {
  place where;            // with its channel, and its pair where it is rotated
  std::size_t index = 0;  // in the dense tensor
};

/// What differs between two answers to one call: bits where the kernel promises bits, else what lies farther apart than two
/// kernels may that keep the promise. A number is left out where the promise has no bound for it.
///
/// domain  both answers have tensors
/// error   distances in binary64, a few units in the last place of the bound
std::vector<element> differences(const held_rotation& judged, const law_case& given, const rotated& a,
                                 const rotated& b);
std::vector<element> differences(const held_addition& judged, const law_case& given, const rotated& a,
                                 const rotated& b);

/// Whether two answers are the same one: both tensors without a difference, or the same refusal.
template <class Kernel>
bool agree(const Kernel& judged, const law_case& given, const answer& a, const answer& b) {
  if (a.done && b.done) return differences(judged, given, *a.done, *b.done).empty();
  if (a.done || b.done || a.status != b.status) return false;
  return a.status != ROPEWALK_OK || a.trouble == b.trouble;
}

}  // namespace ropewalk::diagnosis
