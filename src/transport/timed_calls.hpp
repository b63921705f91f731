#pragma once
// Times of calls that a kernel behind a transport has measured itself, in its own process and by its own
// clock.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/message.hpp"

namespace ropewalk::transport {

/// Calls that a kernel's process made of one function, with one input.
struct timed_calls {
  std::vector<double> seconds;  // of each call, as that process says
  std::string clock;            // the clock's name: "time.perf_counter"
};

inline constexpr int most_timed_calls = 100000;        // of one request
inline constexpr std::size_t longest_clock_name = 64;  // characters

/// Reads the times in an answer that came `waited` seconds after its request.
///
/// throws  bad_message where they are not `calls` finite numbers above 0 whose sum is at most `waited`, or
///         the clock has no name
timed_calls timed_calls_in(const message& answer, int calls, double waited);

/// Makes a call `calls` times in the process of a kernel, after one call that is not timed, and leaves the
/// last one's result in the call's output. The input is the same each time. nullopt where the kernel measures
/// no time itself: it is in this process, in a library, in files, or a program that does not offer it.
///
/// domain  plan is one of the kernel's; `call` is the head of the operation's call struct
/// throws  std::invalid_argument naming calls, unless they are from 1 to most_timed_calls
///         kernel_trouble with what the process did wrong, or, with status ROPEWALK_UNSUPPORTED, where it
///         declines this call
std::optional<timed_calls> time_calls(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                                      const ropewalk_head& call, int calls);

}  // namespace ropewalk::transport
