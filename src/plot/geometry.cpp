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
constexpr int bar_space = 92;         // for a heat map's colours, their labels and title
constexpr int legend_sample = 48;     // a legend's sample and gaps
constexpr double letter_width = 6.4;  // the width of a letter_width in labels and legends
constexpr int room_of_x_tick = 62;
constexpr int room_of_y_tick = 44;

/// The number of characters in UTF-8.
int letters(const std::string& text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xc0) != 0x80; }));
}

int longest_tick(const axis& axis, const range& within, int count) {
  int number = 1;
  for (const tick& tick : ticks_of(axis, within, count)) number = std::max(number, letters(tick.label));
  return number;
}

/// Rows of a legend in columns of equal width.
int legend_rows_of(const figure& figure, const std::vector<series_place>& entries, int width) {
  int longest = 1;
  for (const series_place& entry : entries)
    longest = std::max(longest, letters(figure.panels[entry.panel].series[entry.series].name));
  const int columns = std::max(1, width / (static_cast<int>(longest * letter_width) + legend_sample));
  return (static_cast<int>(entries.size()) + columns - 1) / columns;
}

/// Whether two series look alike in a legend.
bool is_same_entry(const figure& figure, const series_place& place, const series_place& other) {
  const series& a = figure.panels[place.panel].series[place.series];
  const series& b = figure.panels[other.panel].series[other.series];
  return a.name == b.name && a.mark == b.mark && a.role == b.role && a.colour == b.colour;
}

/// The legend entries of each panel; panels side by side have all entries at the last panel.
std::vector<std::vector<series_place>> legends_of(const figure& figure) {
  std::vector<std::vector<series_place>> legends(figure.panels.size());
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    std::vector<series_place>& to = figure.columns > 1 ? legends.back() : legends[i];
    for (std::size_t k = 0; k < figure.panels[i].series.size(); ++k) {
      const bool is_known = std::any_of(to.begin(), to.end(), [&](const series_place& place) {
        return is_same_entry(figure, place, {i, k});
      });
      if (!figure.panels[i].series[k].name.empty() && !is_known) to.push_back({i, k});
    }
  }
  return legends;
}

/// Narrows or flattens a plot area until both axes have the same scale.
void make_square(box& to, const panel& panel, const layout& in) {
  const range x = x_range(panel), y = y_range(panel);
  const double width = (to.right - to.left) * in.width, height = (to.top - to.bottom) * in.height;
  const double unit = std::min(width / (x.most - x.least), height / (y.most - y.least));
  const double spare = (width - unit * (x.most - x.least)) / in.width;
  to.left += spare / 2;
  to.right -= spare / 2;
  to.bottom = to.top - unit * (y.most - y.least) / in.height;
}

/// A panel's plot area inside its cell, whose top left corner is at (x, y).
box box_of(const panel& panel, double x, double y, double cell_width, double plot_height, const layout& in) {
  const double width = in.width, height = in.height;
  box result;
  result.top = 1 - (y + (panel.title.empty() ? top_gap : panel_title_height)) / height;
  result.bottom = 1 - (y + plot_height - axis_height) / height;
  result.y_ticks =
      std::max(2, static_cast<int>(std::lround((result.top - result.bottom) * height) / room_of_y_tick));
  const double ticks = letter_width * longest_tick(panel.y, y_range(panel), result.y_ticks);
  result.left = (x + (panel.y.title.empty() ? right_gap / 2 : left_gap) + ticks + tick_gap) / width;
  result.right = (x + cell_width - (panel.cells ? bar_space : right_gap)) / width;
  if (panel.is_square) make_square(result, panel, in);
  result.legend = {(x + legend_gap) / width, 1 - (y + plot_height - 6) / height, 0};
  result.y_title = result.left - (tick_gap + ticks + y_title_gap) / width;
  result.bar_gap = 10 / width;
  result.bar_width = 12 / width;
  result.x_ticks = std::max(2, static_cast<int>((result.right - result.left) * width / room_of_x_tick));
  return result;
}

}  // namespace

layout layout_of(const figure& figure, bool has_title) {
  const int columns = std::max(1, figure.columns);
  const int rows = (static_cast<int>(figure.panels.size()) + columns - 1) / columns;
  const int cell_width = figure_width / columns,
            plot_height = columns > 1 ? narrow_panel_height : panel_height;
  const int title = has_title ? title_height + (figure.where.empty() ? 0 : where_height) : 0;
  layout result{.width = figure_width, .height = title, .panels = {}, .legends = legends_of(figure)};
  std::vector<int> tops;  // per row of panels
  std::vector<int> legend_rows;
  for (const auto& entries : result.legends)
    legend_rows.push_back(legend_rows_of(figure, entries, figure_width - right_gap));
  for (int row = 0; row < rows; ++row) {
    tops.push_back(result.height);
    result.height += plot_height;
    if (columns == 1) result.height += legend_rows[static_cast<std::size_t>(row)] * legend_row;
  }
  const int shared_top = result.height;
  if (columns > 1 && rows > 0) result.height += legend_rows.back() * legend_row;
  result.height += bottom_gap;
  result.title_left = static_cast<double>(legend_gap) / result.width;
  result.title_top = 1 - static_cast<double>(title_height) / 2 / result.height;
  result.where_top = 1 - static_cast<double>(title_height + where_height / 3) / result.height;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    box box = box_of(figure.panels[i], column * cell_width, tops[static_cast<std::size_t>(row)], cell_width,
                     plot_height, result);
    box.legend.rows = legend_rows[i];
    if (columns > 1)
      box.legend = {result.title_left, 1 - static_cast<double>(shared_top) / result.height, legend_rows[i]};
    result.panels.push_back(box);
  }
  return result;
}

}  // namespace ropewalk::plot
