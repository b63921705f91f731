// The errors of the kernels that are timed.

#include <map>
#include <tuple>

#include "bench/timed_rotation.hpp"
#include "measure/kernel_error.hpp"

namespace ropewalk::bench {
namespace {

constexpr int samples_out_of_process = 32;  // a call of a program may take milliseconds

/// What kernels are compared with, kept for each rotation that is measured.
measure::measured_rotation& points_of(const measured_rotation& of) {
  static std::map<const measured_rotation*, measure::measured_rotation> known;
  const auto found = known.find(&of);
  if (found != known.end()) return found->second;
  return known.try_emplace(&of, of.placed_encoding(), of.layout, of.often, of.of.config).first->second;
}

}  // namespace

std::vector<measure::error_below> errors_of(const rotation_case& given) {
  using key = std::tuple<std::string, ropewalk_dtype, const measured_rotation*>;
  static std::map<key, std::vector<measure::error_below>> known;
  const auto [place, is_new] = known.try_emplace(key{given.kernel.option(), given.dtype, given.of.get()});
  if (!is_new) return place->second;
  const int samples = given.kernel.is_out_of_process() ? samples_out_of_process : measure::usual_samples;
  measure::measured_rotation& points = points_of(*given.of);
  if (const auto& on_axes = given.of->on_axes)
    place->second = {
        measure::error_on_axes(*given.kernel.kernel, given.dtype, points, on_axes->positions, samples)};
  else
    place->second = measure::kernel_errors(*given.kernel.kernel, given.dtype, points, samples);
  return place->second;
}

}  // namespace ropewalk::bench
