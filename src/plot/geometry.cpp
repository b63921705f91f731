#include "plot/geometry.hpp"

#include <algorithm>
#include <string>

#include "plot/style.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

// Pixels.
constexpr int title_height = 38;
constexpr int where_height = 18;  // of the line below the title
constexpr int panel_title_height = 26;
constexpr int top_gap = 14;
constexpr int bottom_gap = 8;
constexpr int legend_gap = 14;
constexpr int tick_gap = 8;
constexpr int axis_height = 64;  // tick labels and title below a panel
constexpr int legend_row = 19;
constexpr int y_title_gap = 14;
constexpr int left_gap = 32;  // of the y axis's title
constexpr int right_gap = 22;
constexpr int bar_space = 92;         // of a heat map's colours, their labels and title
constexpr int legend_sample = 48;     // a legend's sample and gaps
constexpr double letter_width = 6.4;  // the width of a letter_width in labels and legends
constexpr int room_of_x_tick = 62;
constexpr int room_of_y_tick = 44;

/// The number of characters in UTF-8.
int letters(const std::string& text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char one) { return (one & 0xc0) != 0x80; }));
}

int longest_tick(const axis& of, const range& within, int count) {
  int r = 1;
  for (const tick& one : ticks_of(of, within, count)) r = std::max(r, letters(one.label));
  return r;
}

/// Rows of a legend in columns of one width.
int legend_rows_of(const figure& of, const std::vector<series_place>& entries, int width) {
  int longest = 1;
  for (const series_place& one : entries)
    longest = std::max(longest, letters(of.panels[one.panel].series[one.series].name));
  const int columns = std::max(1, width / (static_cast<int>(longest * letter_width) + legend_sample));
  return (static_cast<int>(entries.size()) + columns - 1) / columns;
}

/// Whether two series look alike in a legend.
bool is_same_entry(const figure& of, const series_place& one, const series_place& other) {
  const series& a = of.panels[one.panel].series[one.series];
  const series& b = of.panels[other.panel].series[other.series];
  return a.name == b.name && a.mark == b.mark && a.role == b.role && a.colour == b.colour;
}

/// The entries of each panel's legend; those of panels side by side all stand with the last panel.
std::vector<std::vector<series_place>> legends_of(const figure& of) {
  std::vector<std::vector<series_place>> r(of.panels.size());
  for (std::size_t i = 0; i < of.panels.size(); ++i) {
    std::vector<series_place>& to = of.columns > 1 ? r.back() : r[i];
    for (std::size_t k = 0; k < of.panels[i].series.size(); ++k) {
      const bool is_known = std::any_of(to.begin(), to.end(), [&](const series_place& one) {
        return is_same_entry(of, one, {i, k});
      });
      if (!of.panels[i].series[k].name.empty() && !is_known) to.push_back({i, k});
    }
  }
  return r;
}

/// Narrows or flattens a plot area until one unit is as long on both axes.
void make_square(box& to, const panel& of, const layout& in) {
  const range x = x_range(of), y = y_range(of);
  const double width = (to.right - to.left) * in.width, height = (to.top - to.bottom) * in.height;
  const double unit = std::min(width / (x.most - x.least), height / (y.most - y.least));
  const double spare = (width - unit * (x.most - x.least)) / in.width;
  to.left += spare / 2;
  to.right -= spare / 2;
  to.bottom = to.top - unit * (y.most - y.least) / in.height;
}

/// A panel's plot area inside its cell, whose left top corner is at (x, y).
box box_of(const panel& of, double x, double y, double cell_width, double plot_height, const layout& in) {
  const double width = in.width, height = in.height;
  box r;
  r.top = 1 - (y + (of.title.empty() ? top_gap : panel_title_height)) / height;
  r.bottom = 1 - (y + plot_height - axis_height) / height;
  r.y_ticks = std::max(2, static_cast<int>(std::lround((r.top - r.bottom) * height) / room_of_y_tick));
  const double ticks = letter_width * longest_tick(of.y, y_range(of), r.y_ticks);
  r.left = (x + (of.y.title.empty() ? right_gap / 2 : left_gap) + ticks + tick_gap) / width;
  r.right = (x + cell_width - (of.cells ? bar_space : right_gap)) / width;
  if (of.is_square) make_square(r, of, in);
  r.legend = {(x + legend_gap) / width, 1 - (y + plot_height - 6) / height, 0};
  r.y_title = r.left - (tick_gap + ticks + y_title_gap) / width;
  r.bar_gap = 10 / width;
  r.bar_width = 12 / width;
  r.x_ticks = std::max(2, static_cast<int>((r.right - r.left) * width / room_of_x_tick));
  return r;
}

}  // namespace

layout layout_of(const figure& of, bool has_title) {
  const int columns = std::max(1, of.columns);
  const int rows = (static_cast<int>(of.panels.size()) + columns - 1) / columns;
  const int cell_width = figure_width / columns,
            plot_height = columns > 1 ? narrow_panel_height : panel_height;
  const int title = has_title ? title_height + (of.where.empty() ? 0 : where_height) : 0;
  layout r{.width = figure_width, .height = title, .panels = {}, .legends = legends_of(of)};
  std::vector<int> tops;  // of each row of panels
  std::vector<int> legend_rows;
  for (const auto& entries : r.legends)
    legend_rows.push_back(legend_rows_of(of, entries, figure_width - right_gap));
  for (int row = 0; row < rows; ++row) {
    tops.push_back(r.height);
    r.height += plot_height;
    if (columns == 1) r.height += legend_rows[static_cast<std::size_t>(row)] * legend_row;
  }
  const int shared_top = r.height;
  if (columns > 1 && rows > 0) r.height += legend_rows.back() * legend_row;
  r.height += bottom_gap;
  r.title_left = static_cast<double>(legend_gap) / r.width;
  r.title_top = 1 - static_cast<double>(title_height) / 2 / r.height;
  r.where_top = 1 - static_cast<double>(title_height + where_height / 3) / r.height;
  for (std::size_t i = 0; i < of.panels.size(); ++i) {
    const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    box one = box_of(of.panels[i], column * cell_width, tops[static_cast<std::size_t>(row)], cell_width,
                     plot_height, r);
    one.legend.rows = legend_rows[i];
    if (columns > 1)
      one.legend = {r.title_left, 1 - static_cast<double>(shared_top) / r.height, legend_rows[i]};
    r.panels.push_back(one);
  }
  return r;
}

}  // namespace ropewalk::plot
