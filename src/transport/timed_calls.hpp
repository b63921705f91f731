#pragma once
// Times of calls, measured by a kernel behind a transport in its own process, with its own clock.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/message.hpp"

namespace ropewalk::transport {

/// Calls of one function with one input, made by a kernel's process.
struct timed_calls {
  std::vector<double> seconds;  // per call, as reported by the process
  std::string clock;            // the clock's name: "time.perf_counter"
};

inline constexpr int most_timed_calls = 100000;        // per request
inline constexpr std::size_t longest_clock_name = 64;  // characters

/// Reads the times in an answer that came `waited` seconds after its request.
///
/// throws  bad_message if they are not `calls` finite numbers above 0 whose sum is at most `waited`, or the
///         clock has no name
timed_calls timed_calls_in(const message& answer, int calls, double waited);

/// Makes a call `calls` times in a kernel's process, after one untimed call. The last result is left in the
/// call's output. All calls have the same input. nullopt if the kernel does not time calls itself: it runs in
/// this process, in a library, through files, or in a program that does not offer it.
///
/// domain  plan is one of the kernel's; `call` is the head of the operation's call struct
/// throws  std::invalid_argument naming calls, unless they are from 1 to most_timed_calls; kernel_trouble
///         with the process's error, with status ROPEWALK_UNSUPPORTED if it declines the call
std::optional<timed_calls> time_calls(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                                      const ropewalk_head& call, int calls);

}  // namespace ropewalk::transport
