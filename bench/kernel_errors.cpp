// Measures the errors of the timed kernels.

#include <map>
#include <tuple>

#include "bench/timed_rotation.hpp"
#include "measure/kernel_error.hpp"

namespace ropewalk::bench {
namespace {

constexpr int samples_out_of_process = 32;  // a program's call may take milliseconds

/// Reference points for the kernels' errors, cached for each measured rotation.
measure::measured_rotation& points_of(const measured_rotation& rotation) {
  static std::map<const measured_rotation*, measure::measured_rotation> known;
  const auto match = known.find(&rotation);
  if (match != known.end()) return match->second;
  return known
      .try_emplace(&rotation, rotation.placed_encoding(), rotation.layout, rotation.often,
                   rotation.model.config)
      .first->second;
}

}  // namespace

std::vector<measure::error_below> errors_of(const rotation_case& rotation) {
  using key = std::tuple<std::string, ropewalk_dtype, const measured_rotation*>;
  static std::map<key, std::vector<measure::error_below>> known;
  const auto [place, is_new] =
      known.try_emplace(key{rotation.kernel.option(), rotation.dtype, rotation.measured.get()});
  if (!is_new) return place->second;
  const int samples = rotation.kernel.is_out_of_process() ? samples_out_of_process : measure::usual_samples;
  measure::measured_rotation& points = points_of(*rotation.measured);
  if (const auto& on_axes = rotation.measured->on_axes)
    place->second = {
        measure::error_on_axes(*rotation.kernel.entry, rotation.dtype, points, on_axes->positions, samples)};
  else
    place->second = measure::kernel_errors(*rotation.kernel.entry, rotation.dtype, points, samples);
  return place->second;
}

}  // namespace ropewalk::bench
