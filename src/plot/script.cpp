#include "plot/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "export/plain_text.hpp"
#include "plot/geometry.hpp"
#include "plot/label_places.hpp"
#include "plot/palette.hpp"
#include "plot/style.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

using out = std::back_insert_iterator<std::string>;

/// The text on one line, without what an SVG excludes.
std::string one_line(std::string_view text) {
  std::string r = output::plain_text(text);
  for (char& letter : r)
    if (letter == '\n' || letter == '\t') letter = ' ';
  return r;
}

/// A string of gnuplot, in which nothing has a meaning but its end; a line has no line feeds. gnuplot 5.4
/// misreads a doubled quote at the beginning of a string, so a quote is a string of its own.
std::string gnuplot_text(std::string_view text) {
  std::string r = "'";
  for (const char letter : one_line(text))
    r += letter == '\'' ? std::string("' . \"'\" . '") : std::string(1, letter);
  return r + "'";
}

/// The label of a tick, in which gnuplot would read % as the beginning of a format.
std::string tick_text(std::string_view text) {
  std::string r;
  for (const char letter : text) r += letter == '%' ? std::string("%%") : std::string(1, letter);
  return gnuplot_text(r);
}

/// A string in a block of data, which ends at a double quote.
std::string data_text(std::string_view text) {
  std::string r;
  for (const char letter : one_line(text)) r += letter == '"' ? std::string("”") : std::string(1, letter);
  return "\"" + r + "\"";
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

std::string colour(std::string_view name) { return fmt::format("rgb '{}'", paint_named(name).light); }

/// Writes the script of one panel.
class panel_script {
 public:
  panel_script(script& to, const figure& of, std::size_t index, const layout& in, canvas on)
      : to_(to),
        figure_(of),
        of_(of.panels[index]),
        index_(index),
        where_(in.panels[index]),
        legend_(in.legends[index]),
        labels_(place_labels(of_, where_, in)),
        is_png_(on == canvas::png),
        x_(x_range(of_)),
        y_(y_range(of_)) {}

  void write() {
    write_frame();
    write_axis("x", of_.x, x_, false);
    write_axis("y", of_.y, y_, of_.cells.has_value() != of_.y.is_reversed);
    if (of_.cells) write_palette();
    std::string plots;
    if (of_.cells) add_cells(plots);
    for (const bool is_band : {true, false})
      for (std::size_t i = 0; i < of_.series.size(); ++i)
        if ((of_.series[i].mark == mark::band) == is_band) add_series(plots, i);
    // gnuplot refuses to draw a legend alone.
    if (plots.empty()) add_plot(plots, "NaN notitle", {plotted::part::nothing, index_});
    add_labels(plots);
    for (const series_place& one : legend_) add_legend(plots, one);
    to_.text += "plot " + plots + "\n";
  }

 private:
  void write_frame() {
    put("set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\nset tmargin at screen "
        "{}\n",
        where_.left, where_.right, where_.bottom, where_.top);
    put("set title {} font ',{}' tc {} offset 0,-0.4\n", gnuplot_text(of_.title), font_size, colour("ink"));
    put("set border 3 lc {} lw 1\nset grid lc {} lt 1 lw 1\n", colour("soft"), colour("grid"));
    put("set key at screen {},{} left top vertical Left reverse samplen 3 spacing 1.15 width 1 maxrows {} "
        "font ',{}' tc {}\n",
        where_.legend.left, where_.legend.top, std::max(1, where_.legend.rows), small_font_size,
        colour("ink"));
    put("set boxwidth 0.7 relative\n");
  }

  void write_axis(const char* name, const axis& of, const range& within, bool is_reversed) {
    const bool reversed = is_reversed || (name[0] == 'x' && of.is_reversed);
    write_axis_title(name, of);
    if (of.scale == scale::linear)
      put("unset logscale {}\n", name);
    else
      put("set logscale {} {}\n", name, of.scale == scale::log2 ? 2 : 10);
    put("set {}range [{}:{}] noextend\n", name, number(reversed ? within.most : within.least),
        number(reversed ? within.least : within.most));
    std::string ticks;
    for (const tick& one : ticks_of(of, within, name[0] == 'x' ? where_.x_ticks : where_.y_ticks))
      if (has_place(one.at, of.scale))
        ticks += fmt::format("{}{} {}", ticks.empty() ? "" : ", ", tick_text(one.label), number(one.at));
    put("unset m{0}tics\nset {0}tics scale 0.5 nomirror ({1}) font ',{2}' tc {3}\n", name, ticks,
        small_font_size, colour("soft"));
  }

  /// The title of the y axis stands at the edge of its panel: gnuplot misjudges the width of its labels.
  void write_axis_title(const char* name, const axis& of) {
    if (name[0] == 'x')
      put("set xlabel {} offset 0,0.3 font ',{}' tc {}\n", gnuplot_text(of.title), font_size - 1,
          colour("ink"));
    else
      put("set label 2 {} at screen {},{} center rotate by 90 font ',{}' tc {}\n", gnuplot_text(of.title),
          where_.y_title, (where_.top + where_.bottom) / 2, font_size - 1, colour("ink"));
  }

  void write_palette() {
    const heat_map& cells = *of_.cells;
    const range colours = colour_range(cells);
    put("set palette defined ({})\nset cbrange [{}:{}]\n", palette_steps(cells.is_diverging),
        number(colours.least), number(colours.most));
    put("set colorbox user origin screen {},{} size screen {},{} noborder\n", where_.right + where_.bar_gap,
        where_.bottom, where_.bar_width, where_.top - where_.bottom);
    put("set cblabel {} font ',{}' tc {}\n", gnuplot_text(cells.title), font_size - 1, colour("ink"));
    std::string ticks;
    for (const tick& one : ticks_of({}, colours, 5))
      ticks += fmt::format("{}{} {}", ticks.empty() ? "" : ", ", tick_text(one.label), number(one.at));
    put("set cbtics scale 0 ({}) font ',{}' tc {}\n", ticks, small_font_size, colour("soft"));
  }

  /// Opens a block of data and returns its name.
  std::string begin_data() {
    const std::string name = fmt::format("$data{}", to_.plots.size());
    put("{} << END_OF_DATA\n", name);
    return name;
  }

  void add_plot(std::string& plots, const std::string& text, plotted what) {
    plots += (plots.empty() ? "" : ", \\\n  ") + text;
    to_.plots.push_back(std::move(what));
  }

  /// Draws the cells; in an SVG, four that cover the same place, which cells_image then replaces.
  void add_cells(std::string& plots) {
    const bool is_stand_in = !is_png_ && !of_.x.least && !of_.x.most && !of_.y.least && !of_.y.most;
    const heat_map& cells = *of_.cells;
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
    return has_place(x, of_.x.scale) && has_place(y, of_.y.scale) && within(x, x_) && within(y, y_);
  }

  std::vector<std::size_t> visible_points(const series& of) const {
    std::vector<std::size_t> r;
    for (std::size_t i = 0; i < of.x.size(); ++i)
      if (is_visible(of.x[i], of.y[i])) r.push_back(i);
    return r;
  }

  void add_series(std::string& plots, std::size_t i) {
    const series& one = of_.series[i];
    const std::vector<std::size_t> visible = visible_points(one);
    if (visible.empty()) return;
    const look look = look_of(of_, i);
    if (one.mark == mark::points)
      add_points(plots, i, visible, fmt::format("points pt {} ps 0.9", look.point), plotted::part::data);
    else
      add_line(plots, i, look);
    const bool has_marks = one.mark == mark::line_with_points;
    if (has_marks)
      add_points(plots, i, visible, fmt::format("points pt {} ps 0.6", look.point), plotted::part::hints);
    else if (!one.hints.empty() && one.mark != mark::points)
      add_points(plots, i, visible, "points pt 7 ps 1.2", plotted::part::hints);
  }

  void add_line(std::string& plots, std::size_t i, const look& look) {
    const series& one = of_.series[i];
    const std::string data = begin_data();
    for (std::size_t k = 0; k < one.x.size(); ++k) {
      const bool is_break = !has_place(one.x[k], of_.x.scale) || !has_place(one.y[k], of_.y.scale);
      if (is_break)
        to_.text += "\n";  // an empty line breaks a line
      else
        put("{} {} {}\n", number(one.x[k]), number(one.y[k]),
            k < one.upper.size() ? number(one.upper[k]) : "");
    }
    to_.text += "END_OF_DATA\n";
    add_plot(plots,
             fmt::format("{} using {} with {} notitle", data, one.mark == mark::band ? "1:2:3" : "1:2",
                         style_of(one, look)),
             {plotted::part::data, index_, i});
  }

  static std::string style_of(const series& of, const look& look) {
    const std::string line =
        fmt::format("lc rgb '{}' lw {} dt {}", look.colour->light, look.width, look.dash);
    switch (of.mark) {
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
    // Hover targets of a line without marks are for pointers alone; a PNG has none.
    const series& one = of_.series[i];
    const bool is_seen = one.mark == mark::points || one.mark == mark::line_with_points;
    if (!is_seen && is_png_) return;
    const std::string data = begin_data();
    for (const std::size_t k : visible) put("{} {}\n", number(one.x[k]), number(one.y[k]));
    to_.text += "END_OF_DATA\n";
    add_plot(
        plots,
        fmt::format("{} using 1:2 with {} lc rgb '{}' notitle", data, style, look_of(of_, i).colour->light),
        {what, index_, i, visible});
  }

  void add_labels(std::string& plots) {
    for (std::size_t i = 0; i < of_.series.size(); ++i) {
      std::vector<std::size_t> points;
      std::string lines;
      for (const placed_label& one : labels_) {
        if (one.series != i) continue;
        points.push_back(one.point);
        lines += fmt::format("{} {} {}\n", number(one.x), number(one.y),
                             data_text(of_.series[i].labels[one.point]));
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

  void add_legend(std::string& plots, const series_place& of) {
    const series& one = figure_.panels[of.panel].series[of.series];
    const look look = look_of(figure_.panels[of.panel], of.series);
    const bool has_points = one.mark == mark::points || one.mark == mark::line_with_points;
    std::string style = style_of(one, look);
    if (one.mark == mark::band) style = style.replace(0, style.find(' '), "boxes");
    if (has_points)
      style = fmt::format("{} pt {} ps 1 {}", one.mark == mark::points ? "points" : "linespoints", look.point,
                          style.substr(style.find(' ')));
    if (one.mark == mark::steps || one.mark == mark::impulses)
      style = "lines" + style.substr(style.find(' '));
    add_plot(plots, fmt::format("keyentry with {} title {}", style, gnuplot_text(one.name)),
             {plotted::part::legend, of.panel, of.series});
  }

  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(out(to_.text), format, std::forward<Values>(values)...);
  }

  script& to_;
  const figure& figure_;
  const panel& of_;
  std::size_t index_;
  const box& where_;
  const std::vector<series_place>& legend_;
  std::vector<placed_label> labels_;
  bool is_png_;
  range x_;
  range y_;
};

std::string terminal(const script& of, canvas on, const std::string& id) {
  if (on == canvas::png)
    return fmt::format(
        "set terminal pngcairo size {},{} fontscale {} linewidth {} pointscale {} noenhanced "
        "font 'sans-serif,{}' background '{}'\n",
        png_scale * of.width, png_scale * of.height, png_scale * 0.75, png_scale, png_scale, font_size,
        paint_named("paper").light);
  return fmt::format(
      "set terminal svg size {},{} dynamic fontscale 1 name '{}' noenhanced font 'sans-serif,{}'\n", of.width,
      of.height, id, font_size);
}

}  // namespace

script script_of(const figure& of, canvas on, place where, const std::string& id) {
  const layout boxes = layout_of(of, where == place::alone);
  script r{.text = {}, .plots = {}, .width = boxes.width, .height = boxes.height};
  r.text = "set encoding utf8\nset decimalsign '.'\n" + terminal(r, on, id) + "set multiplot\n";
  for (std::size_t i = 0; i < of.panels.size(); ++i) {
    if (i == 0 && where == place::alone)
      r.text += fmt::format("set label 1 {} at screen {},{} left font 'sans-serif:Bold,{}' tc {}\n",
                            gnuplot_text(of.title), boxes.title_left, boxes.title_top, title_font_size,
                            colour("ink"));
    if (i == 0 && where == place::alone && !of.where.empty())
      r.text += fmt::format("set label 3 {} at screen {},{} left font ',{}' tc {}\n", gnuplot_text(of.where),
                            boxes.title_left, boxes.where_top, small_font_size, colour("soft"));
    panel_script(r, of, i, boxes, on).write();
    r.text += "unset label 1\nunset label 3\n";
  }
  r.text += "unset multiplot\n";
  return r;
}

}  // namespace ropewalk::plot
