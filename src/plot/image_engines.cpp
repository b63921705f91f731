// Errors of the cosines and sines that engines compute for images and videos, one row per engine.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "array/engine_error.hpp"
#include "plot/figures.hpp"

namespace ropewalk::plot {
namespace {

/// The points of the rows with one arithmetic.
series points_of(recipe::table_arithmetic arithmetic, const std::vector<array::engine_error>& rows) {
  series result;
  result.name = recipe::name_of(arithmetic);
  result.mark = mark::points;
  result.colour = static_cast<int>(arithmetic);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const array::engine_error& error = rows[row];
    if (error.engine->arithmetic != arithmetic) continue;
    result.x.push_back(error.larger().error);
    result.y.push_back(static_cast<double>(row));
    const array::largest_error& at = error.larger();
    result.hints.push_back(fmt::format("{}, {}: off by {:.2g} at {:.7g} on axis {}, pair {}", error.family,
                                       array::text_of(error.engine->request), error.larger().error,
                                       at.coordinate, at.axis, at.pair));
  }
  return result;
}

bool is_in_double(const array::engine_error& error) {
  return error.engine->arithmetic == recipe::table_arithmetic::binary64;
}

/// The model of a row. One row represents all tables in binary64, whose errors are half an ulp.
std::string name_of_row(const array::engine_error& error, std::ptrdiff_t in_double) {
  return is_in_double(error) ? fmt::format("{} in binary64", in_double) : std::string(error.engine->model);
}

panel panel_of(const std::vector<array::engine_error>& rows, std::ptrdiff_t in_double) {
  panel result;
  result.x = {.title = "largest error of cosine and sine", .scale = scale::log10};
  result.x.least = 1e-8;
  result.x.most = 1e-2;
  for (const int power : {-8, -6, -4, -2})
    result.x.ticks.push_back({std::pow(10.0, power), fmt::format("1e{}", power)});
  result.y = {.title = "model", .least = -1.0, .most = static_cast<double>(rows.size())};
  result.y.is_reversed = true;
  for (std::size_t row = 0; row < rows.size(); ++row)
    result.y.ticks.push_back({static_cast<double>(row), name_of_row(rows[row], in_double)});
  using enum recipe::table_arithmetic;
  for (const auto arithmetic : {binary32, binary64_frequency, binary64_angle, binary64})
    if (series points = points_of(arithmetic, rows); !points.x.empty())
      result.series.push_back(std::move(points));
  return result;
}

}  // namespace

figure image_engines(const subject& subject) {
  std::vector<array::engine_error> all = array::errors_of_engines(subject.progress);
  const auto in_single = std::count_if(all.begin(), all.end(), [](const auto& each) {
    return each.engine->arithmetic == recipe::table_arithmetic::binary32;
  });
  figure engines;
  engines.name = "image-engines";
  engines.title = "Errors of engines' tables for images and videos";
  engines.sentence = fmt::format(
      "At the largest grid in use, tables formed in binary64 have errors of half an ulp of "
      "binary32; {} of {} families form theirs in binary32, with errors up to {:.1g}.",
      in_single, all.size(), all.front().larger().error);
  engines.alt = fmt::format(
      "{} families in two columns, one point per family on a logarithmic axis of errors, from {} at {:.2g} "
      "down to "
      "{} "
      "and {} others, which form their tables in binary64, at {:.2g}; half of the others lie above {:.2g}.",
      all.size(), all.front().engine->model, all.front().larger().error, all.back().engine->model,
      std::count_if(all.begin(), all.end(), is_in_double) - 1, all.back().larger().error,
      all[static_cast<std::size_t>(in_single) / 2].larger().error);
  engines.command = "ropewalk plot image-engines --svg image-engines.svg";
  const std::ptrdiff_t in_double = std::count_if(all.begin(), all.end(), is_in_double);
  const auto first_in_double = std::find_if(all.begin(), all.end(), is_in_double);
  all.erase(std::remove_if(first_in_double + 1, all.end(), is_in_double), all.end());
  constexpr std::size_t panels = 2;  // side by side: names of rows need room
  const std::size_t rows = (all.size() + panels - 1) / panels;
  for (std::size_t first = 0; first < all.size(); first += rows) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    engines.panels.push_back(panel_of(
        {begin, begin + static_cast<std::ptrdiff_t>(std::min(rows, all.size() - first))}, in_double));
  }
  engines.columns = static_cast<int>(panels);
  return engines;
}

}  // namespace ropewalk::plot
