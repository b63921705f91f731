#include "transport/timed_calls.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "ropewalk/config/require.hpp"
#include "transport/remote_kernel.hpp"

namespace ropewalk::transport {
namespace {

constexpr std::size_t most_shown = 40;  // characters of a value in a message

/// The JSON list in a text; null if it is not a list.
input::json list_in(std::string_view text) {
  try {
    const input::json list = input::any_value_of(text);
    return list.is_array() ? list : input::json();
  } catch (const input::bad_json&) {
    return {};
  }
}

double time_of(const input::json& value) {
  const double time = value.is_number() ? value.get<double>() : 0;
  if (!std::isfinite(time) || time <= 0)
    throw bad_message(fmt::format("answered with {} in its list of seconds; due: finite numbers above 0",
                                  value.is_primitive() ? input::shown(value) : value.type_name()));
  return time;
}

}  // namespace

timed_calls timed_calls_in(const message& answer, int calls, double waited) {
  const std::string_view text = answer.word("seconds");
  const input::json list = list_in(text);
  if (list.is_null())
    throw bad_message(text.empty() ? "answered without seconds"
                                   : fmt::format("answered with seconds '{}'; due: a JSON list of {} numbers",
                                                 printable(text, most_shown), calls));
  if (list.size() != static_cast<std::size_t>(calls))
    throw bad_message(fmt::format("answered with the seconds of {} calls; due: {}", list.size(), calls));
  timed_calls result{{}, std::string(answer.word("clock"))};
  for (const input::json& value : list) result.seconds.push_back(time_of(value));
  const double sum = std::accumulate(result.seconds.begin(), result.seconds.end(), 0.0);
  if (sum > waited)
    throw bad_message(
        fmt::format("answered with {:.6g} s in all; its answer came after {:.6g} s", sum, waited));
  if (result.clock.empty() || result.clock != printable(result.clock, longest_clock_name))
    throw bad_message(
        fmt::format("answered with the clock '{}'; due: the name of its clock, up to {} characters",
                    printable(result.clock, most_shown), longest_clock_name));
  return result;
}

std::optional<timed_calls> time_calls(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                                      const ropewalk_head& call, int calls) {
  require(calls >= 1 && calls <= most_timed_calls, "calls", calls, "1 to 100000");
  std::optional<timed_calls> result;
  with_remote_plan(kernel, plan, [&](remote_plan& remote) { result = remote.time(&call, calls); });
  return result;
}

}  // namespace ropewalk::transport
