// The errors of cosine and sine that engines make for images and videos, a row an engine.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "export/engine_error.hpp"
#include "plot/figures.hpp"

namespace ropewalk::plot {
namespace {

/// The points of one arithmetic among rows.
series points_of(recipe::table_arithmetic how, const std::vector<output::engine_error>& rows) {
  series r;
  r.name = recipe::name_of(how);
  r.mark = mark::points;
  r.colour = static_cast<int>(how);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const output::engine_error& one = rows[row];
    if (one.of->how != how) continue;
    r.x.push_back(one.larger().error);
    r.y.push_back(static_cast<double>(row));
    const output::largest_error& at = one.larger();
    r.hints.push_back(fmt::format("{}, {}: off by {:.2g} at {:.7g} on axis {}, pair {}", one.family,
                                  output::text_of(one.of->asked), one.larger().error, at.coordinate, at.axis,
                                  at.pair));
  }
  return r;
}

bool is_in_double(const output::engine_error& of) { return of.of->how == recipe::table_arithmetic::binary64; }

/// The model of a row; one row stands for all tables in binary64, which are off by half an ulp.
std::string name_of_row(const output::engine_error& of, std::ptrdiff_t in_double) {
  return is_in_double(of) ? fmt::format("{} in binary64", in_double) : std::string(of.of->model);
}

panel panel_of(const std::vector<output::engine_error>& rows, std::ptrdiff_t in_double) {
  panel r;
  r.x = {.title = "largest error of cosine and sine", .scale = scale::log10};
  r.x.least = 1e-8;
  r.x.most = 1e-2;
  for (const int power : {-8, -6, -4, -2})
    r.x.ticks.push_back({std::pow(10.0, power), fmt::format("1e{}", power)});
  r.y = {.title = "model", .least = -1.0, .most = static_cast<double>(rows.size())};
  r.y.is_reversed = true;
  for (std::size_t row = 0; row < rows.size(); ++row)
    r.y.ticks.push_back({static_cast<double>(row), name_of_row(rows[row], in_double)});
  using enum recipe::table_arithmetic;
  for (const auto how : {binary32, binary64_frequency, binary64_angle, binary64})
    if (series points = points_of(how, rows); !points.x.empty()) r.series.push_back(std::move(points));
  return r;
}

}  // namespace

figure image_engines(const subject& of) {
  std::vector<output::engine_error> all = output::errors_of_engines(of.progress);
  const auto in_single = std::count_if(all.begin(), all.end(), [](const auto& each) {
    return each.of->how == recipe::table_arithmetic::binary32;
  });
  figure r;
  r.name = "image-engines";
  r.title = "What engines' tables of images and videos are off by";
  r.sentence = fmt::format(
      "At the largest grid in use, tables formed in binary64 are off by half a unit in the last place of "
      "binary32; {} of {} families form theirs in binary32, and are off by up to {:.1g}.",
      in_single, all.size(), all.front().larger().error);
  r.alt = fmt::format(
      "{} families in two columns, each a point on a logarithmic axis of errors, from {} at {:.2g} down to "
      "{} "
      "and {} others, which form their tables in binary64, at {:.2g}; half of the others lie above {:.2g}.",
      all.size(), all.front().of->model, all.front().larger().error, all.back().of->model,
      std::count_if(all.begin(), all.end(), is_in_double) - 1, all.back().larger().error,
      all[static_cast<std::size_t>(in_single) / 2].larger().error);
  r.command = "ropewalk plot image-engines --svg image-engines.svg";
  const std::ptrdiff_t in_double = std::count_if(all.begin(), all.end(), is_in_double);
  const auto first_in_double = std::find_if(all.begin(), all.end(), is_in_double);
  all.erase(std::remove_if(first_in_double + 1, all.end(), is_in_double), all.end());
  constexpr std::size_t panels = 2;  // side by side: names of rows need room
  const std::size_t rows = (all.size() + panels - 1) / panels;
  for (std::size_t first = 0; first < all.size(); first += rows) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    r.panels.push_back(panel_of(
        {begin, begin + static_cast<std::ptrdiff_t>(std::min(rows, all.size() - first))}, in_double));
  }
  r.columns = static_cast<int>(panels);
  return r;
}

}  // namespace ropewalk::plot
