// The error of each kernel's cosines and sines against the position: flat for exact phases, rising where the
// angle is rounded, each with the bound that its promise proves.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/kernel_error.hpp"
#include "plot/figures.hpp"
#include "plot/measured_rows.hpp"
#include "plot/subject.hpp"
#include "plot/ticks.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::plot {
namespace {

constexpr std::int32_t reported_position = 131072;  // whose errors the text says, and a line shows
constexpr double largest_error = 4;  // above 2, the largest distance of two points of the circle

/// One kernel's errors.
struct kernel_curve {
  verify::chosen_kernel kernel;
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::size_t ordinal = 0;  // among kernels of its role: it has one colour in all panels
  std::vector<measure::error_in_range> errors;
  std::vector<kernel_curve> twins{};  // of the same errors
  double near_reported_position = measure::not_measured;
  std::string trouble{};  // why there are none
};

std::vector<verify::chosen_kernel> compared_kernels(const subject& of) {
  std::vector<verify::chosen_kernel> r{verify::only_kernel("cpu-turns")};
  for (const verify::chosen_kernel& one : of.kernels)
    if (one.label() != r.front().label() && one.kernel->operation == ROPEWALK_ROTATE) r.push_back(one);
  return r;
}

/// "binary32".
std::string words_of(ropewalk_dtype dtype) {
  return dtype == ROPEWALK_BF16 ? "bfloat16" : fmt::format("binary{}", 8 * size_of(dtype));
}

/// The end of the axis: a power of ten below a quarter of the format's largest relative rounding.
double least_shown(ropewalk_dtype dtype) {
  const int precision = with_format(dtype, []<class Float>() { return format<Float>::precision; });
  return std::pow(10, std::floor(std::log10(std::ldexp(0.25, -precision))));
}

kernel_curve curve_of(const verify::chosen_kernel& kernel, ropewalk_dtype dtype,
                      measure::measured_rotation& in, bool is_quick) {
  kernel_curve r{.kernel = kernel, .dtype = dtype, .ordinal = 0, .errors = {}};
  const std::vector<position_range> ranges = measure::ranges_by_octave(is_quick ? 1 : 3);
  const std::vector<position_range> told{measure::positions_near(reported_position)};
  const promise promised = promise_of(*kernel.kernel);
  try {
    r.errors = measure::error_by_position(*kernel.kernel, promised, dtype, in, ranges);
    const auto there =
        measure::error_by_position(*kernel.kernel, promised, dtype, in, told, measure::samples_near);
    if (there.front().is_served) r.near_reported_position = there.front().distance;
  } catch (const kernel_trouble& trouble) {
    r.trouble = trouble.what();
  }
  return r;
}

std::string hint_of_range(const std::string& name, const measure::error_in_range& of) {
  std::string r = fmt::format("{}: off by up to {:.2g} at positions {} to {}", name, of.distance,
                              label_of(static_cast<double>(of.positions.begin)),
                              label_of(static_cast<double>(of.positions.end - 1)));
  if (std::isfinite(of.bound)) r += fmt::format("; bound of its promise {:.2g}", of.bound);
  return r;
}

role role_of_kernel(const verify::chosen_kernel& of) {
  return !of.is_built_in() ? role::given : of.is_recipe ? role::recipe : role::canonical;
}

/// The area from a kernel's errors up to the bound of its promise.
void add_band(panel& to, const kernel_curve& of, int colour) {
  series band{.name = {},
              .mark = mark::band,
              .role = role::bound,
              .x = {},
              .y = {},
              .colour = colour,
              .tags = {{"kernel", of.kernel.label()}, {"dtype", name_of(of.dtype)}}};
  for (const measure::error_in_range& one : of.errors) {
    if (!one.is_served || !std::isfinite(one.bound)) continue;
    band.x.push_back(static_cast<double>(one.positions.end - 1));
    band.y.push_back(std::clamp(one.distance, least_shown(of.dtype), largest_error));
    band.upper.push_back(std::clamp(one.bound, band.y.back(), largest_error));
  }
  if (band.x.size() > 1) to.series.push_back(std::move(band));
}

/// A kernel's line, which stands for its twins too, and a band for each bound.
void add_curve(panel& to, const kernel_curve& of, int colour, bool is_dashed) {
  std::string name = of.kernel.label();
  add_band(to, of, colour);
  for (const kernel_curve& twin : of.twins) {
    name += ", " + short_label(twin.kernel.label());
    const bool has_other_bounds =
        !std::equal(of.errors.begin(), of.errors.end(), twin.errors.begin(), twin.errors.end(),
                    [](const auto& a, const auto& b) { return a.bound == b.bound; });
    if (has_other_bounds) add_band(to, twin, colour);
  }
  series line{.name = name,
              .mark = is_dashed ? mark::dashed_line : mark::line,
              .role = role_of_kernel(of.kernel),
              .x = {},
              .y = {},
              .colour = colour,
              .tags = {{"kernel", of.kernel.label()}, {"dtype", name_of(of.dtype)}}};
  for (const measure::error_in_range& one : of.errors) {
    if (!one.is_served) continue;
    line.x.push_back(static_cast<double>(one.positions.end - 1));
    line.y.push_back(std::clamp(one.distance, least_shown(of.dtype), largest_error));
    line.hints.push_back(hint_of_range(of.kernel.label(), one));
  }
  to.series.push_back(std::move(line));
}

/// "recipe-hf-f32 by 0.0056".
std::string reported_errors(const std::vector<kernel_curve>& curves) {
  std::string r;
  for (const kernel_curve& one : curves) {
    const bool is_served = std::any_of(one.errors.begin(), one.errors.end(),
                                       [](const measure::error_in_range& of) { return of.is_served; });
    std::string said;
    if (!one.trouble.empty())
      said = "failed";
    else if (!is_served)
      said = fmt::format("does not serve {}", name_of(one.dtype));
    else if (!std::isnan(one.near_reported_position))
      said = fmt::format("by {:.2g}", one.near_reported_position);
    if (!said.empty()) r += fmt::format("{}{} {}", r.empty() ? "" : ", ", one.kernel.label(), said);
  }
  return r;
}

/// Joins curves of equal errors, which would hide each other.
std::vector<kernel_curve> without_twins(const std::vector<kernel_curve>& curves) {
  std::vector<kernel_curve> r;
  for (const kernel_curve& one : curves) {
    const auto twin = std::find_if(r.begin(), r.end(), [&](const kernel_curve& other) {
      return role_of_kernel(other.kernel) == role_of_kernel(one.kernel) && !one.errors.empty() &&
             std::equal(one.errors.begin(), one.errors.end(), other.errors.begin(), other.errors.end(),
                        [](const auto& a, const auto& b) {
                          return a.is_served == b.is_served && a.distance == b.distance;
                        });
    });
    if (twin == r.end())
      r.push_back(one);
    else
      twin->twins.push_back(one);
  }
  return r;
}

void add_line_at(panel& to, double position, double least, const std::string& label) {
  to.series.push_back({.name = {},
                       .mark = mark::dashed_line,
                       .role = role::reference,
                       .x = {position, position},
                       .y = {largest_error, least},
                       .labels = {"", label}});
}

void add_lengths(panel& to, const subject& of, double least) {
  const auto length = static_cast<double>(of.of.max_position_embeddings);
  if (length >= 1) add_line_at(to, length, least, "max_position_embeddings");
  if (length != reported_position) add_line_at(to, reported_position, least, label_of(reported_position));
}

panel panel_of(const std::vector<kernel_curve>& curves, const subject& of, ropewalk_dtype dtype,
               bool is_named) {
  const double least = least_shown(dtype);
  panel r{.title = is_named ? name_of(dtype) : "",
          .x = {.title = "position (tokens)", .scale = scale::log10, .least = 1.0},
          .y = {.title = "distance from the exact (cos, sin)",
                .scale = scale::log10,
                .least = least,
                .most = largest_error}};
  for (const kernel_curve& curve : without_twins(curves)) {
    const role role = role_of_kernel(curve.kernel);
    const std::size_t ordinal = curve.ordinal;
    add_curve(r, curve, colour_of_kernel(role, ordinal), role == role::given && ordinal % 2 == 1);
  }
  r.series.push_back({.name = "shaded: up to the proved bound",
                      .mark = mark::band,
                      .role = role::bound,
                      .x = {},
                      .y = {},
                      .colour = neutral_colour});
  add_lengths(r, of, least);
  return r;
}

}  // namespace

figure error_by_position(const subject& of) {
  measure::measured_rotation in(of.of.encoding, of.of.layout, {}, of.of.config);
  const std::vector<verify::chosen_kernel> kernels = compared_kernels(of);
  const std::vector<ropewalk_dtype> dtypes =
      of.dtypes.empty() ? std::vector<ropewalk_dtype>{ROPEWALK_F32} : of.dtypes;
  const bool are_several = dtypes.size() > 1;
  std::vector<panel> panels;
  std::string names, told;
  double done = 0;
  for (const ropewalk_dtype dtype : dtypes) {
    std::vector<kernel_curve> curves;
    std::map<role, std::size_t> ordinals;
    for (const verify::chosen_kernel& one : kernels) {
      curves.push_back(curve_of(one, dtype, in, of.is_quick));
      curves.back().ordinal = ordinals[role_of_kernel(one)]++;
      if (of.progress) of.progress(++done / static_cast<double>(kernels.size() * dtypes.size()));
    }
    panels.push_back(panel_of(curves, of, dtype, are_several));
    names += (names.empty() ? "" : ", ") + words_of(dtype);
    told += fmt::format("{}{}{}", told.empty() ? "" : "; ",
                        are_several ? std::string(name_of(dtype)) + ": " : "", reported_errors(curves));
  }
  told = fmt::format("Near position {} kernels are off by up to: {}", label_of(reported_position), told);
  return {.name = "error-by-position",
          .title = fmt::format("Error of cosines and sines against the position, in {}", names),
          .sentence =
              "Flat where the phase is exact, rising where the angle is rounded; bands reach up to the "
              "proved bound of what each promises. " +
              told + ".",
          .alt = "Largest distance of a pair from its exact point, by position, both axes logarithmic. " +
                 told + "; 2 is the largest distance that there is.",
          .command = measured_command_of("error-by-position", of),
          .panels = std::move(panels),
          .columns = are_several ? 2 : 1,
          .where = fmt::format("{}; the largest error over all pairs", summary(of.of))};
}

}  // namespace ropewalk::plot
