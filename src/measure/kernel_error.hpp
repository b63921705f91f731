#pragma once
// The error of a kernel's cosines and sines, measured through its apply function: it turns (1, 0) in every
// pair into the point (a cos, a sin), where a is the attention factor.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "input/axis_positions.hpp"
#include "measure/bench_record.hpp"
#include "measure/exact_points.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::measure {

/// The rotation in which kernels are measured: the input of their plans, and the exact points to compare
/// with.
struct measured_rotation {
  /// `often` is the plans' hint of frequent positions; equal ends: none. `config_json` is for kernels that
  /// read it.
  ///
  /// throws  std::invalid_argument naming the field and its value; undecided if a scaling rule is not decided
  measured_rotation(const placed_rope& config, const head_layout& heads, position_range often = {},
                    std::string config_json = {});
  measured_rotation(const rope& config, const head_layout& heads, position_range hint = {},
                    std::string json = {})
      : measured_rotation(placed_rope{config}, heads, hint, std::move(json)) {}

  placed_rope encoding;
  head_layout layout;
  position_range often;
  std::string config_json;
  exact_points points;
};

/// Limits below which errors are reported.
inline constexpr std::array<std::int64_t, 4> error_limits = {2048, 131072, std::int64_t{1} << 20,
                                                             std::int64_t{1} << 31};
inline constexpr int usual_samples = 256;
inline constexpr int samples_of_a_range = 8;

// All functions make out-of-place calls of one shape that the kernel serves, at the same positions for every
// kernel. They skip positions, shapes, formats and layouts beyond the kernel's limits; the result then says
// "not served", as after ROPEWALK_UNSUPPORTED.
//
// domain  samples >= 1
// error   upper bounds of the distances at the sampled positions, above them by at most a few parts in 2^31
// throws  std::invalid_argument naming samples, or a field of the kernel's limits and its value
//         kernel_trouble where the kernel fails in any other way; device_failure; answer_awaited

/// Errors below each of error_limits, at `samples` random positions below each limit and at the last one.
/// Positions sampled below smaller limits count, too.
std::vector<error_below> kernel_errors(const ropewalk_kernel& kernel, ropewalk_dtype dtype,
                                       measured_rotation& in, int samples = usual_samples);

/// Errors at tokens on the encoding's axes, with a limit of 0: at all tokens if there are at most `samples`,
/// else at random ones and the last.
///
/// domain  at has positions of kernels, with one row for each axis of the encoding; at least one token
error_below error_on_axes(const ropewalk_kernel& kernel, ropewalk_dtype dtype, measured_rotation& in,
                          const input::axis_positions& at, int samples = usual_samples);

/// The largest error of a kernel at positions sampled from a range.
struct error_in_range {
  position_range positions;
  bool is_served = false;          // if not, there is no distance
  double distance = not_measured;  // largest distance of a pair from its exact point
  double bound = not_measured;     // of the promise, or not_measured
};

/// Errors in each range: at every position if there are at most `samples`, else at random ones and the last.
///
/// domain  each range is one that `validate` accepts
std::vector<error_in_range> error_by_position(const ropewalk_kernel& kernel, const promise& promised,
                                              ropewalk_dtype dtype, measured_rotation& in,
                                              std::span<const position_range> ranges,
                                              int samples = samples_of_a_range);

/// The positions within a twentieth of `position` on either side. Their largest error is reported for it,
/// because the error at a single position is chance.
///
/// domain  1 <= position < 2^31
position_range positions_near(std::int64_t position);

/// Number of positions near one that are measured.
inline constexpr int samples_near = 64;

/// Ranges that follow one another from 1 to 2^31 - 1, their ends evenly spaced on a logarithmic axis: at most
/// `of_an_octave` between a power of two and the next.
std::vector<position_range> ranges_by_octave(int of_an_octave);

}  // namespace ropewalk::measure
