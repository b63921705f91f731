#pragma once
// One call on several threads, for callers without a thread pool: kernels start no threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/table/in_order.hpp"

namespace ropewalk {

namespace detail {

/// One thread's share of a call, and its result.
template <class Call>
struct call_share {
  Call call;
  std::int32_t status = ROPEWALK_OK;
  ropewalk_error error{};
};

/// Splits a call into contiguous ranges of tokens whose lengths differ by at most one.
///
/// domain  1 <= shares <= tokens of the call
template <class Call>
std::vector<call_share<Call>> share_tokens(const Call& call, std::int64_t shares) {
  const std::int64_t tokens = call.tokens.end - call.tokens.begin;
  std::vector<call_share<Call>> r;
  std::int64_t begin = call.tokens.begin;
  for (std::int64_t i = 0; i < shares; ++i) {
    Call share = call;
    share.tokens.begin = begin;
    begin += tokens / shares + (i < tokens % shares ? 1 : 0);
    share.tokens.end = begin;
    r.push_back({.call = share});
  }
  return r;
}

}  // namespace detail

/// Applies a plan as kernel.apply does, with the call's tokens split into one contiguous range per thread.
///
/// shape   returns enum ropewalk_status; if ranges fail, the status and error of the first that failed
/// domain  a call struct of kernel.h; threads >= 1; at most one thread per token is used, and none outlives
///         the call
/// error   the same bits for any number of threads
/// throws  nothing; an invalid call is refused before anything is written
template <class Call>
std::int32_t apply_with_threads(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const Call& call,
                                int threads, ropewalk_error* error) noexcept {
  std::int32_t status = ROPEWALK_OK;
  const std::int32_t answered = answer(error, [&] {
    require_field(threads >= 1, {"", "threads"}, threads, "1 or above");
    const bool is_range = call.tokens.begin >= 0 && call.tokens.begin < call.tokens.end;
    const std::int64_t shares =
        is_range ? std::min<std::int64_t>(threads, call.tokens.end - call.tokens.begin) : 1;
    // An empty range runs every check of the call, so that no error is found after other ranges were written.
    Call none = call;
    none.tokens.begin = none.tokens.end;
    if (shares == 1 || kernel.apply(plan, &none.head, nullptr) != ROPEWALK_OK) {
      status = kernel.apply(plan, &call.head, error);
      return;
    }
    std::vector<detail::call_share<Call>> work = detail::share_tokens(call, shares);
    on_threads(static_cast<int>(shares), [&](int share) {
      detail::call_share<Call>& one = work[static_cast<std::size_t>(share)];
      one.status = kernel.apply(plan, &one.call.head, &one.error);
    });
    const auto failed = std::find_if(work.begin(), work.end(), [](const detail::call_share<Call>& share) {
      return share.status != ROPEWALK_OK;
    });
    if (failed == work.end()) return;
    status = failed->status;
    if (error != nullptr) *error = failed->error;
  });
  return answered == ROPEWALK_OK ? status : answered;
}

}  // namespace ropewalk
