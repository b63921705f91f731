#pragma once
// One call on several threads, for callers without a thread pool of their own: kernels start no threads.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/thread_pool.hpp"

namespace ropewalk {

/// Smallest range of tokens, in bytes written, for a thread that is awake. Handing over and checking a range
/// takes 300 ns, in which one core writes about 16 KiB, and the range's input may lie in the caller's cache.
inline constexpr std::int64_t least_bytes_of_range = 64 << 10;

/// The same for a sleeping thread. A wake takes 25 microseconds, 9 of them on the caller's thread.
inline constexpr std::int64_t least_bytes_of_woken = 2 << 20;

namespace detail {

inline double bytes_per_token(const ropewalk_tensor& written) {
  if (written.data == nullptr || !is_dtype(written.dtype)) return 0;
  const int heads = written.rank == 4 ? 2 : 1;
  return static_cast<double>(written.shape[heads]) * static_cast<double>(written.shape[heads + 1]) *
         size_of(static_cast<ropewalk_dtype>(written.dtype));
}
inline double bytes_per_token(const ropewalk_rotation_call& call) {
  return bytes_per_token(call.query_out) + bytes_per_token(call.key_out);
}
inline double bytes_per_token(const ropewalk_row_call& call) { return bytes_per_token(call.out); }
inline double bytes_per_token(const ropewalk_bias_call& call) { return bytes_per_token(call.scores_out); }

/// The ranges of a call and the threads that it may wake.
struct call_split {
  int ranges = 1;
  int most_woken = 0;  // threads
};

/// Splits a call among threads by the bytes that it writes. The call may be invalid.
template <class Call>
call_split split_of(const Call& call, int threads) {
  if (call.tokens.begin < 0 || call.tokens.begin >= call.tokens.end) return {};
  const std::int64_t tokens = call.tokens.end - call.tokens.begin;
  const double bytes = bytes_per_token(call) * static_cast<double>(tokens);
  const auto most = static_cast<double>(std::min<std::int64_t>(threads, tokens));
  const auto parts_of = [&](std::int64_t least) {
    return static_cast<int>(std::clamp(bytes / static_cast<double>(least), 1.0, most));
  };
  return {parts_of(least_bytes_of_range), parts_of(least_bytes_of_woken) - 1};
}

/// One of several contiguous ranges of a call's tokens, whose lengths differ by at most one.
///
/// domain  0 <= range < ranges <= tokens of the call
template <class Call>
Call range_of(const Call& call, std::int64_t ranges, std::int64_t range) {
  const std::int64_t tokens = call.tokens.end - call.tokens.begin;
  const auto begin_of = [&](std::int64_t i) {
    return call.tokens.begin + tokens / ranges * i + std::min(i, tokens % ranges);
  };
  Call result = call;
  result.tokens.begin = begin_of(range);
  result.tokens.end = begin_of(range + 1);
  return result;
}

/// The failure of the first range that fails, in order of ranges, not of time.
class first_failure {
 public:
  void note(int range, std::int32_t status, const ropewalk_error& error) {
    const std::lock_guard lock(mutex_);
    if (range >= range_) return;
    range_ = range;
    status_ = status;
    error_ = error;
  }
  /// Returns the status; fills `error` if a range failed and it is not NULL.
  std::int32_t report_to(ropewalk_error* error) const {
    if (status_ != ROPEWALK_OK && error != nullptr) *error = error_;
    return status_;
  }

 private:
  std::mutex mutex_;
  int range_ = std::numeric_limits<int>::max();
  std::int32_t status_ = ROPEWALK_OK;
  ropewalk_error error_;
};

/// kernel.apply, with exceptions turned into statuses.
template <class Call>
std::int32_t apply_range(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const Call& call,
                         ropewalk_error* error) noexcept {
  std::int32_t status = ROPEWALK_OK;
  const std::int32_t thrown = answer(error, [&] { status = kernel.apply(plan, &call.head, error); });
  return thrown == ROPEWALK_OK ? status : thrown;
}

/// Applies a plan to a call in ranges on a pool.
///
/// domain  split.ranges <= tokens of the call, or 1
template <class Call>
std::int32_t apply_in_ranges(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const Call& call,
                             const call_split& split, thread_pool& pool, ropewalk_error* error) noexcept {
  // An empty range runs every check of the call, so that no error is found after other ranges were written.
  Call none = call;
  none.tokens.begin = none.tokens.end;
  if (split.ranges == 1 || apply_range(kernel, plan, none, nullptr) != ROPEWALK_OK)
    return apply_range(kernel, plan, call, error);
  first_failure failure;
  const auto apply = [&](int range) noexcept {
    ropewalk_error of_range{};
    const std::int32_t status = apply_range(kernel, plan, range_of(call, split.ranges, range), &of_range);
    if (status != ROPEWALK_OK) failure.note(range, status, of_range);
  };
  pool.run(split.ranges, apply, split.most_woken);
  return failure.report_to(error);
}

}  // namespace detail

/// Applies a plan as kernel.apply does, with the call's tokens split into contiguous ranges, at most one per
/// thread of the pool and per token. Each range writes at least `least_bytes_of_range`; smaller calls are not
/// split.
///
/// shape   returns enum ropewalk_status; if ranges fail, the status and error of the first that failed
/// domain  a call struct of kernel.h; other threads may call meanwhile
/// error   the same bits for any number of threads
/// throws  nothing; an invalid call is refused before anything is written
template <class Call>
std::int32_t apply_with_threads(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const Call& call,
                                thread_pool& pool, ropewalk_error* error) noexcept {
  return detail::apply_in_ranges(kernel, plan, call, detail::split_of(call, pool.threads()), pool, error);
}

/// The same on the process's own pool, whose threads stay for later calls.
///
/// domain  threads >= 1
template <class Call>
std::int32_t apply_with_threads(const ropewalk_kernel& kernel, const ropewalk_plan* plan, const Call& call,
                                int threads, ropewalk_error* error) noexcept {
  std::int32_t status = ROPEWALK_OK;
  const std::int32_t answered = answer(error, [&] {
    require_field(threads >= 1, {"", "threads"}, threads, "1 or above");
    const detail::call_split split = detail::split_of(call, threads);
    status = split.ranges == 1
                 ? detail::apply_range(kernel, plan, call, error)
                 : detail::apply_in_ranges(kernel, plan, call, split, detail::process_pool(threads), error);
  });
  return answered == ROPEWALK_OK ? status : answered;
}

}  // namespace ropewalk
