#include "plot/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "output/plain_text.hpp"
#include "plot/geometry.hpp"
#include "plot/label_places.hpp"
#include "plot/palette.hpp"
#include "plot/style.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

using out = std::back_insert_iterator<std::string>;

/// The text on one line, without characters that SVG excludes.
std::string one_line(std::string_view text) {
  std::string line = output::plain_text(text);
  for (char& letter : line)
    if (letter == '\n' || letter == '\t') letter = ' ';
  return line;
}

/// A gnuplot string in which only its end is special; it must not contain line feeds. gnuplot 5.4 misreads a
/// doubled quote at the beginning of a string, so a quote becomes a separate string.
std::string gnuplot_text(std::string_view text) {
  std::string words = "'";
  for (const char letter : one_line(text))
    words += letter == '\'' ? std::string("' . \"'\" . '") : std::string(1, letter);
  return words + "'";
}

/// The label of a tick, with % escaped, since gnuplot reads it as a format.
std::string tick_text(std::string_view text) {
  std::string words;
  for (const char letter : text) words += letter == '%' ? std::string("%%") : std::string(1, letter);
  return gnuplot_text(words);
}

/// A string in a data block, which a double quote ends.
std::string data_text(std::string_view text) {
  std::string words;
  for (const char letter : one_line(text)) words += letter == '"' ? std::string("”") : std::string(1, letter);
  return "\"" + words + "\"";
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

std::string colour(std::string_view name) { return fmt::format("rgb '{}'", paint_named(name).light); }

/// Writes the script of one panel.
class panel_script {
 public:
  panel_script(script& to, const figure& figure, std::size_t index, const layout& in, canvas on)
      : to_(to),
        figure_(figure),
        panel_(figure.panels[index]),
        index_(index),
        where_(in.panels[index]),
        legend_(in.legends[index]),
        labels_(place_labels(panel_, where_, in)),
        is_png_(on == canvas::png),
        x_(x_range(panel_)),
        y_(y_range(panel_)) {}

  void write() {
    write_frame();
    write_axis("x", panel_.x, x_, false);
    write_axis("y", panel_.y, y_, panel_.cells.has_value() != panel_.y.is_reversed);
    if (panel_.cells) write_palette();
    std::string plots;
    if (panel_.cells) add_cells(plots);
    for (const bool is_band : {true, false})
      for (std::size_t i = 0; i < panel_.series.size(); ++i)
        if ((panel_.series[i].mark == mark::band) == is_band) add_series(plots, i);
    // gnuplot refuses to draw only a legend.
    if (plots.empty()) add_plot(plots, "NaN notitle", {plotted::part::nothing, index_});
    add_labels(plots);
    for (const series_place& place : legend_) add_legend(plots, place);
    to_.text += "plot " + plots + "\n";
  }

 private:
  void write_frame() {
    put("set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\nset tmargin at screen "
        "{}\n",
        where_.left, where_.right, where_.bottom, where_.top);
    put("set title {} font ',{}' tc {} offset 0,-0.4\n", gnuplot_text(panel_.title), font_size,
        colour("ink"));
    put("set border 3 lc {} lw 1\nset grid lc {} lt 1 lw 1\n", colour("soft"), colour("grid"));
    put("set key at screen {},{} left top vertical Left reverse samplen 3 spacing 1.15 width 1 maxrows {} "
        "font ',{}' tc {}\n",
        where_.legend.left, where_.legend.top, std::max(1, where_.legend.rows), small_font_size,
        colour("ink"));
    put("set boxwidth 0.7 relative\n");
  }

  void write_axis(const char* name, const axis& axis, const range& within, bool is_reversed) {
    const bool reversed = is_reversed || (name[0] == 'x' && axis.is_reversed);
    write_axis_title(name, axis);
    if (axis.scale == scale::linear)
      put("unset logscale {}\n", name);
    else
      put("set logscale {} {}\n", name, axis.scale == scale::log2 ? 2 : 10);
    put("set {}range [{}:{}] noextend\n", name, number(reversed ? within.most : within.least),
        number(reversed ? within.least : within.most));
    std::string ticks;
    for (const tick& tick : ticks_of(axis, within, name[0] == 'x' ? where_.x_ticks : where_.y_ticks))
      if (has_place(tick.at, axis.scale))
        ticks += fmt::format("{}{} {}", ticks.empty() ? "" : ", ", tick_text(tick.label), number(tick.at));
    put("unset m{0}tics\nset {0}tics scale 0.5 nomirror ({1}) font ',{2}' tc {3}\n", name, ticks,
        small_font_size, colour("soft"));
  }

  /// Places the title of the y axis at the edge of its panel: gnuplot misjudges the width of tick labels.
  void write_axis_title(const char* name, const axis& axis) {
    if (name[0] == 'x')
      put("set xlabel {} offset 0,0.3 font ',{}' tc {}\n", gnuplot_text(axis.title), font_size - 1,
          colour("ink"));
    else
      put("set label 2 {} at screen {},{} center rotate by 90 font ',{}' tc {}\n", gnuplot_text(axis.title),
          where_.y_title, (where_.top + where_.bottom) / 2, font_size - 1, colour("ink"));
  }

  void write_palette() {
    const heat_map& cells = *panel_.cells;
    const range colours = colour_range(cells);
    put("set palette defined ({})\nset cbrange [{}:{}]\n", palette_steps(cells.is_diverging),
        number(colours.least), number(colours.most));
    put("set colorbox user origin screen {},{} size screen {},{} noborder\n", where_.right + where_.bar_gap,
        where_.bottom, where_.bar_width, where_.top - where_.bottom);
    put("set cblabel {} font ',{}' tc {}\n", gnuplot_text(cells.title), font_size - 1, colour("ink"));
    std::string ticks;
    for (const tick& tick : ticks_of({}, colours, 5))
      ticks += fmt::format("{}{} {}", ticks.empty() ? "" : ", ", tick_text(tick.label), number(tick.at));
    put("set cbtics scale 0 ({}) font ',{}' tc {}\n", ticks, small_font_size, colour("soft"));
  }

  /// Begins a data block and returns its name.
  std::string begin_data() {
    const std::string name = fmt::format("$data{}", to_.plots.size());
    put("{} << END_OF_DATA\n", name);
    return name;
  }

  void add_plot(std::string& plots, const std::string& text, plotted what) {
    plots += (plots.empty() ? "" : ", \\\n  ") + text;
    to_.plots.push_back(std::move(what));
  }

  /// Draws the cells. In an SVG, draws four cells over the same area, which cells_image then replaces.
  void add_cells(std::string& plots) {
    const bool is_stand_in =
        !is_png_ && !panel_.x.least && !panel_.x.most && !panel_.y.least && !panel_.y.most;
    const heat_map& cells = *panel_.cells;
    const std::string data = begin_data();
    if (is_stand_in)
      to_.text += "0 0\n0 0\n";
    else
      write_cells(cells);
    to_.text += "END_OF_DATA\n";
    const double width = static_cast<double>(cells.columns) / 2, height = static_cast<double>(cells.rows) / 2;
    const std::string places = fmt::format(" using ({0} * $1 + {1}):({2} * $2 + {3}):3", width,
                                           width / 2 - 0.5, height, height / 2 - 0.5);
    add_plot(plots, data + " matrix" + (is_stand_in ? places : "") + " with image notitle",
             {is_stand_in ? plotted::part::cells_stand_in : plotted::part::cells, index_});
  }

  void write_cells(const heat_map& cells) {
    const range colours = colour_range(cells);
    for (std::size_t row = 0; row < cells.rows; ++row) {
      for (std::size_t column = 0; column < cells.columns; ++column) {
        const double value = cells.values[row * cells.columns + column];
        // Five digits: far more than the palette has colours.
        if (std::isfinite(value))
          fmt::format_to(out(to_.text), "{:.5g} ", std::clamp(value, colours.least, colours.most));
        else
          to_.text += "NaN ";
      }
      to_.text += "\n";
    }
  }

  bool is_visible(double x, double y) const {
    const auto within = [](double value, const range& in) {
      return value >= std::min(in.least, in.most) && value <= std::max(in.least, in.most);
    };
    return has_place(x, panel_.x.scale) && has_place(y, panel_.y.scale) && within(x, x_) && within(y, y_);
  }

  std::vector<std::size_t> visible_points(const series& series) const {
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (is_visible(series.x[i], series.y[i])) points.push_back(i);
    return points;
  }

  void add_series(std::string& plots, std::size_t i) {
    const series& series = panel_.series[i];
    const std::vector<std::size_t> visible = visible_points(series);
    if (visible.empty()) return;
    const look look = look_of(panel_, i);
    if (series.mark == mark::points)
      add_points(plots, i, visible, fmt::format("points pt {} ps 0.9", look.point), plotted::part::data);
    else
      add_line(plots, i, look);
    const bool has_marks = series.mark == mark::line_with_points;
    if (has_marks)
      add_points(plots, i, visible, fmt::format("points pt {} ps 0.6", look.point), plotted::part::hints);
    else if (!series.hints.empty() && series.mark != mark::points)
      add_points(plots, i, visible, "points pt 7 ps 1.2", plotted::part::hints);
  }

  void add_line(std::string& plots, std::size_t i, const look& look) {
    const series& series = panel_.series[i];
    const std::string data = begin_data();
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      const bool is_break =
          !has_place(series.x[k], panel_.x.scale) || !has_place(series.y[k], panel_.y.scale);
      if (is_break)
        to_.text += "\n";  // an empty line breaks the curve
      else
        put("{} {} {}\n", number(series.x[k]), number(series.y[k]),
            k < series.upper.size() ? number(series.upper[k]) : "");
    }
    to_.text += "END_OF_DATA\n";
    add_plot(plots,
             fmt::format("{} using {} with {} notitle", data, series.mark == mark::band ? "1:2:3" : "1:2",
                         style_of(series, look)),
             {plotted::part::data, index_, i});
  }

  static std::string style_of(const series& series, const look& look) {
    const std::string line =
        fmt::format("lc rgb '{}' lw {} dt {}", look.colour->light, look.width, look.dash);
    switch (series.mark) {
      case mark::band:
        return fmt::format("filledcurves fc rgb '{}' fs transparent solid {} noborder", look.colour->light,
                           band_opacity);
      case mark::steps: return "steps " + line;
      case mark::impulses: return "impulses " + line;
      case mark::bars: return fmt::format("boxes fc rgb '{}' fs solid 0.85 noborder", look.colour->light);
      case mark::points:
      case mark::line_with_points:
      case mark::line:
      case mark::dashed_line: break;
    }
    return "lines " + line;
  }

  void add_points(std::string& plots, std::size_t i, const std::vector<std::size_t>& visible,
                  const std::string& style, plotted::part what) {
    // Hover targets of a line without marks only serve pointers; a PNG has none.
    const series& series = panel_.series[i];
    const bool is_seen = series.mark == mark::points || series.mark == mark::line_with_points;
    if (!is_seen && is_png_) return;
    const std::string data = begin_data();
    for (const std::size_t k : visible) put("{} {}\n", number(series.x[k]), number(series.y[k]));
    to_.text += "END_OF_DATA\n";
    add_plot(plots,
             fmt::format("{} using 1:2 with {} lc rgb '{}' notitle", data, style,
                         look_of(panel_, i).colour->light),
             {what, index_, i, visible});
  }

  void add_labels(std::string& plots) {
    for (std::size_t i = 0; i < panel_.series.size(); ++i) {
      std::vector<std::size_t> points;
      std::string lines;
      for (const placed_label& label : labels_) {
        if (label.series != i) continue;
        points.push_back(label.point);
        lines += fmt::format("{} {} {}\n", number(label.x), number(label.y),
                             data_text(panel_.series[i].labels[label.point]));
      }
      if (points.empty()) continue;
      const std::string data = begin_data();
      to_.text += lines + "END_OF_DATA\n";
      add_plot(plots,
               fmt::format("{} using 1:2:3 with labels left font ',{}' tc {} notitle", data, small_font_size,
                           colour("ink")),
               {plotted::part::labels, index_, i, points});
    }
  }

  void add_legend(std::string& plots, const series_place& place) {
    const series& series = figure_.panels[place.panel].series[place.series];
    const look look = look_of(figure_.panels[place.panel], place.series);
    const bool has_points = series.mark == mark::points || series.mark == mark::line_with_points;
    std::string style = style_of(series, look);
    if (series.mark == mark::band) style = style.replace(0, style.find(' '), "boxes");
    if (has_points)
      style = fmt::format("{} pt {} ps 1 {}", series.mark == mark::points ? "points" : "linespoints",
                          look.point, style.substr(style.find(' ')));
    if (series.mark == mark::steps || series.mark == mark::impulses)
      style = "lines" + style.substr(style.find(' '));
    add_plot(plots, fmt::format("keyentry with {} title {}", style, gnuplot_text(series.name)),
             {plotted::part::legend, place.panel, place.series});
  }

  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(out(to_.text), format, std::forward<Values>(values)...);
  }

  script& to_;
  const figure& figure_;
  const panel& panel_;
  std::size_t index_;
  const box& where_;
  const std::vector<series_place>& legend_;
  std::vector<placed_label> labels_;
  bool is_png_;
  range x_;
  range y_;
};

std::string terminal(const script& script, canvas on, const std::string& id) {
  if (on == canvas::png)
    return fmt::format(
        "set terminal pngcairo size {},{} fontscale {} linewidth {} pointscale {} noenhanced "
        "font 'sans-serif,{}' background '{}'\n",
        png_scale * script.width, png_scale * script.height, png_scale * 0.75, png_scale, png_scale,
        font_size, paint_named("paper").light);
  return fmt::format(
      "set terminal svg size {},{} dynamic fontscale 1 name '{}' noenhanced font 'sans-serif,{}'\n",
      script.width, script.height, id, font_size);
}

}  // namespace

script script_of(const figure& figure, canvas on, place where, const std::string& id) {
  const layout boxes = layout_of(figure, where == place::alone);
  script result{.text = {}, .plots = {}, .width = boxes.width, .height = boxes.height};
  result.text = "set encoding utf8\nset decimalsign '.'\n" + terminal(result, on, id) + "set multiplot\n";
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (i == 0 && where == place::alone)
      result.text += fmt::format("set label 1 {} at screen {},{} left font 'sans-serif:Bold,{}' tc {}\n",
                                 gnuplot_text(figure.title), boxes.title_left, boxes.title_top,
                                 title_font_size, colour("ink"));
    if (i == 0 && where == place::alone && !figure.where.empty())
      result.text +=
          fmt::format("set label 3 {} at screen {},{} left font ',{}' tc {}\n", gnuplot_text(figure.where),
                      boxes.title_left, boxes.where_top, small_font_size, colour("soft"));
    panel_script(result, figure, i, boxes, on).write();
    result.text += "unset label 1\nunset label 3\n";
  }
  result.text += "unset multiplot\n";
  return result;
}

}  // namespace ropewalk::plot
