#pragma once
// Record of the calls that are made of a kernel while it is measured.

#include <vector>

#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/law_case.hpp"

namespace ropewalk {

/// One call, and both tensors after it.
struct transcribed_call {
  law_case test_case;
  call_form form;
  rotated done;
};

/// Facts about the calls of a kernel and of those that it is compared with, and on request the kernel's own
/// answers, to compare two kernels call by call. For use by one thread.
struct call_record : call_facts {
  bool keeps_calls = false;
  std::vector<transcribed_call> calls{};  // in order
};

/// Result of body(the kernel, whose calls are recorded). A call without an answer yet gives zeros, so that
/// the calls behind it are asked for as well.
///
/// throws  answer_awaited if a call has no answer yet, whatever else body() throws
template <class Kernel, class Body>
auto with_every_answer(const Kernel& kernel, call_record& record, Body body) {
  const Kernel recorded = kernel.recording(record);
  try {
    auto result = body(recorded);
    if (record.is_answer_awaited) throw answer_awaited();
    return result;
  } catch (...) {
    if (record.is_answer_awaited) throw answer_awaited();
    throw;
  }
}

}  // namespace ropewalk
