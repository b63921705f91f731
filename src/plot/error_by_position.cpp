// The error of each kernel's cosines and sines by position: flat for exact phases, rising if the angle is
// rounded, each with the proved bound of its promise.

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

constexpr std::int32_t reported_position = 131072;  // its errors are in the text, and a line marks it
constexpr double largest_error = 4;  // above 2, the largest distance between points of the circle

/// One kernel's errors.
struct kernel_curve {
  verify::chosen_kernel kernel;
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::size_t ordinal = 0;  // among kernels of its role; one colour in all panels
  std::vector<measure::error_in_range> errors;
  std::vector<kernel_curve> twins{};  // kernels with the same errors
  double near_reported_position = measure::not_measured;
  std::string trouble{};  // why there are no errors
};

std::vector<verify::chosen_kernel> compared_kernels(const subject& subject) {
  std::vector<verify::chosen_kernel> kernels{verify::only_kernel("cpu-turns")};
  for (const verify::chosen_kernel& kernel : subject.kernels)
    if (kernel.label() != kernels.front().label() && kernel.entry->operation == ROPEWALK_ROTATE)
      kernels.push_back(kernel);
  return kernels;
}

/// "binary32".
std::string words_of(ropewalk_dtype dtype) {
  return dtype == ROPEWALK_BF16 ? "bfloat16" : fmt::format("binary{}", 8 * size_of(dtype));
}

/// The lower end of the axis: a power of ten below a quarter of the format's largest relative rounding error.
double least_shown(ropewalk_dtype dtype) {
  const int precision = with_format(dtype, []<class Float>() { return format<Float>::precision; });
  return std::pow(10, std::floor(std::log10(std::ldexp(0.25, -precision))));
}

kernel_curve curve_of(const verify::chosen_kernel& kernel, ropewalk_dtype dtype,
                      measure::measured_rotation& in, bool is_quick) {
  kernel_curve curve{.kernel = kernel, .dtype = dtype, .ordinal = 0, .errors = {}};
  const std::vector<position_range> ranges = measure::ranges_by_octave(is_quick ? 1 : 3);
  const std::vector<position_range> positions{measure::positions_near(reported_position)};
  const promise promised = promise_of(*kernel.entry);
  try {
    curve.errors = measure::error_by_position(*kernel.entry, promised, dtype, in, ranges);
    const auto there =
        measure::error_by_position(*kernel.entry, promised, dtype, in, positions, measure::samples_near);
    if (there.front().is_served) curve.near_reported_position = there.front().distance;
  } catch (const kernel_trouble& trouble) {
    curve.trouble = trouble.what();
  }
  return curve;
}

std::string hint_of_range(const std::string& name, const measure::error_in_range& error) {
  std::string hint = fmt::format("{}: off by up to {:.2g} at positions {} to {}", name, error.distance,
                                 label_of(static_cast<double>(error.positions.begin)),
                                 label_of(static_cast<double>(error.positions.end - 1)));
  if (std::isfinite(error.bound)) hint += fmt::format("; bound of its promise {:.2g}", error.bound);
  return hint;
}

role role_of_kernel(const verify::chosen_kernel& kernel) {
  return !kernel.is_built_in() ? role::given : kernel.is_recipe ? role::recipe : role::canonical;
}

/// Fills the area from a kernel's errors up to the bound of its promise.
void add_band(panel& to, const kernel_curve& curve, int colour) {
  series band{.name = {},
              .mark = mark::band,
              .role = role::bound,
              .x = {},
              .y = {},
              .colour = colour,
              .tags = {{"kernel", curve.kernel.label()}, {"dtype", name_of(curve.dtype)}}};
  for (const measure::error_in_range& error : curve.errors) {
    if (!error.is_served || !std::isfinite(error.bound)) continue;
    band.x.push_back(static_cast<double>(error.positions.end - 1));
    band.y.push_back(std::clamp(error.distance, least_shown(curve.dtype), largest_error));
    band.upper.push_back(std::clamp(error.bound, band.y.back(), largest_error));
  }
  if (band.x.size() > 1) to.series.push_back(std::move(band));
}

/// Adds a kernel's line, which also represents its twins, and one band per bound.
void add_curve(panel& to, const kernel_curve& curve, int colour, bool is_dashed) {
  std::string name = curve.kernel.label();
  add_band(to, curve, colour);
  for (const kernel_curve& twin : curve.twins) {
    name += ", " + short_label(twin.kernel.label());
    const bool has_other_bounds =
        !std::equal(curve.errors.begin(), curve.errors.end(), twin.errors.begin(), twin.errors.end(),
                    [](const auto& a, const auto& b) { return a.bound == b.bound; });
    if (has_other_bounds) add_band(to, twin, colour);
  }
  series line{.name = name,
              .mark = is_dashed ? mark::dashed_line : mark::line,
              .role = role_of_kernel(curve.kernel),
              .x = {},
              .y = {},
              .colour = colour,
              .tags = {{"kernel", curve.kernel.label()}, {"dtype", name_of(curve.dtype)}}};
  for (const measure::error_in_range& error : curve.errors) {
    if (!error.is_served) continue;
    line.x.push_back(static_cast<double>(error.positions.end - 1));
    line.y.push_back(std::clamp(error.distance, least_shown(curve.dtype), largest_error));
    line.hints.push_back(hint_of_range(curve.kernel.label(), error));
  }
  to.series.push_back(std::move(line));
}

/// "recipe-hf-f32 by 0.0056".
std::string reported_errors(const std::vector<kernel_curve>& curves) {
  std::string errors;
  for (const kernel_curve& curve : curves) {
    const bool is_served = std::any_of(curve.errors.begin(), curve.errors.end(),
                                       [](const measure::error_in_range& error) { return error.is_served; });
    std::string said;
    if (!curve.trouble.empty())
      said = "failed";
    else if (!is_served)
      said = fmt::format("does not serve {}", name_of(curve.dtype));
    else if (!std::isnan(curve.near_reported_position))
      said = fmt::format("by {:.2g}", curve.near_reported_position);
    if (!said.empty())
      errors += fmt::format("{}{} {}", errors.empty() ? "" : ", ", curve.kernel.label(), said);
  }
  return errors;
}

/// Merges curves with equal errors, which would hide each other.
std::vector<kernel_curve> without_twins(const std::vector<kernel_curve>& curves) {
  std::vector<kernel_curve> result;
  for (const kernel_curve& curve : curves) {
    const auto twin = std::find_if(result.begin(), result.end(), [&](const kernel_curve& other) {
      return role_of_kernel(other.kernel) == role_of_kernel(curve.kernel) && !curve.errors.empty() &&
             std::equal(curve.errors.begin(), curve.errors.end(), other.errors.begin(), other.errors.end(),
                        [](const auto& a, const auto& b) {
                          return a.is_served == b.is_served && a.distance == b.distance;
                        });
    });
    if (twin == result.end())
      result.push_back(curve);
    else
      twin->twins.push_back(curve);
  }
  return result;
}

void add_line_at(panel& to, double position, double least, const std::string& label) {
  to.series.push_back({.name = {},
                       .mark = mark::dashed_line,
                       .role = role::reference,
                       .x = {position, position},
                       .y = {largest_error, least},
                       .labels = {"", label}});
}

void add_lengths(panel& to, const subject& subject, double least) {
  const auto length = static_cast<double>(subject.model.max_position_embeddings);
  if (length >= 1) add_line_at(to, length, least, "max_position_embeddings");
  if (length != reported_position) add_line_at(to, reported_position, least, label_of(reported_position));
}

panel panel_of(const std::vector<kernel_curve>& curves, const subject& subject, ropewalk_dtype dtype,
               bool is_named) {
  const double least = least_shown(dtype);
  panel result{.title = is_named ? name_of(dtype) : "",
               .x = {.title = "position (tokens)", .scale = scale::log10, .least = 1.0},
               .y = {.title = "distance from the exact (cos, sin)",
                     .scale = scale::log10,
                     .least = least,
                     .most = largest_error}};
  for (const kernel_curve& curve : without_twins(curves)) {
    const role role = role_of_kernel(curve.kernel);
    const std::size_t ordinal = curve.ordinal;
    add_curve(result, curve, colour_of_kernel(role, ordinal), role == role::given && ordinal % 2 == 1);
  }
  result.series.push_back({.name = "shaded: up to the proved bound",
                           .mark = mark::band,
                           .role = role::bound,
                           .x = {},
                           .y = {},
                           .colour = neutral_colour});
  add_lengths(result, subject, least);
  return result;
}

}  // namespace

figure error_by_position(const subject& subject) {
  measure::measured_rotation in(subject.model.encoding, subject.model.layout, {}, subject.model.config);
  const std::vector<verify::chosen_kernel> kernels = compared_kernels(subject);
  const std::vector<ropewalk_dtype> dtypes =
      subject.dtypes.empty() ? std::vector<ropewalk_dtype>{ROPEWALK_F32} : subject.dtypes;
  const bool are_several = dtypes.size() > 1;
  std::vector<panel> panels;
  std::string names, name;
  double done = 0;
  for (const ropewalk_dtype dtype : dtypes) {
    std::vector<kernel_curve> curves;
    std::map<role, std::size_t> ordinals;
    for (const verify::chosen_kernel& kernel : kernels) {
      curves.push_back(curve_of(kernel, dtype, in, subject.is_quick));
      curves.back().ordinal = ordinals[role_of_kernel(kernel)]++;
      if (subject.progress) subject.progress(++done / static_cast<double>(kernels.size() * dtypes.size()));
    }
    panels.push_back(panel_of(curves, subject, dtype, are_several));
    names += (names.empty() ? "" : ", ") + words_of(dtype);
    name += fmt::format("{}{}{}", name.empty() ? "" : "; ",
                        are_several ? std::string(name_of(dtype)) + ": " : "", reported_errors(curves));
  }
  name = fmt::format("Near position {} kernels are off by up to: {}", label_of(reported_position), name);
  return {.name = "error-by-position",
          .title = fmt::format("Error of cosines and sines against the position, in {}", names),
          .sentence =
              "Flat where the phase is exact, rising where the angle is rounded; bands reach up to the "
              "proved bound of each promise. " +
              name + ".",
          .alt = "Largest distance of a pair from its exact point, by position, both axes logarithmic. " +
                 name + "; 2 is the largest possible distance.",
          .command = measured_command_of("error-by-position", subject),
          .panels = std::move(panels),
          .columns = are_several ? 2 : 1,
          .where = fmt::format("{}; the largest error over all pairs", summary(subject.model))};
}

}  // namespace ropewalk::plot
