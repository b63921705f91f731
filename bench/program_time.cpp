#include "bench/program_time.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/interleaved.hpp"
#include "measure/interval.hpp"
#include "transport/timed_calls.hpp"

namespace ropewalk::bench {

void time_program(measure::bench_row& row, const pace& how, const rotation_case& rotation,
                  rotation_work& work) {
  constexpr double shortest = 1e-9;
  const auto timed = [&](int calls) {
    const std::optional<transport::timed_calls> result =
        transport::time_calls(*rotation.kernel.entry, work.planned().plan(), work.call().head, calls);
    if (!result) throw std::runtime_error("the program has no `time` request");
    return *result;
  };
  const transport::timed_calls first = timed(1);
  row.clock = first.clock + ", in the program";
  const double of_call = std::max(first.seconds.front(), shortest);
  const int calls =
      std::clamp(static_cast<int>(std::ceil(how.round / of_call)), 1, transport::most_timed_calls);
  auto copy = [&] { work.copy(); };
  row.repetitions.push_back(undisturbed_rounds(how, [&]() -> measure::round_times {
    const double of_copy = seconds_of(calls, copy);
    return {in_six_digits(measure::median(timed(calls).seconds)), in_six_digits(of_copy)};
  }));
}

}  // namespace ropewalk::bench
