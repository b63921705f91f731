#include "plot/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "output/terminal.hpp"
#include "plot/braille.hpp"
#include "plot/palette.hpp"
#include "plot/style.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

constexpr std::string_view symbols = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr int smallest_width = 20;  // of a plot area

/// The number of UTF-8 characters; each takes one column here.
int width_of(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xc0) != 0x80; }));
}

/// Text without control characters; in ASCII if the terminal requires it.
std::string shown_text(std::string_view text, bool has_unicode) {
  static constexpr std::pair<std::string_view, std::string_view> spellings[] = {
      {"⁻", "-"}, {"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"}, {"⁵", "5"},    {"⁶", "6"},
      {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"}, {"×", "x"}, {"–", "-"}, {"−", "-"}, {"°", " deg"}, {"π", "pi"}};
  std::string words;
  bool is_power = false;
  while (!text.empty()) {
    const auto items = std::find_if(std::begin(spellings), std::end(spellings),
                                    [&](const auto& item) { return text.starts_with(item.first); });
    const unsigned char first = static_cast<unsigned char>(text.front());
    if (!has_unicode && items != std::end(spellings)) {
      const bool is_superscript = items - std::begin(spellings) <= 10;
      if (is_superscript && !is_power) words += '^';
      is_power = is_superscript;
      words += items->second;
      text.remove_prefix(items->first.size());
      continue;
    }
    is_power = false;
    const bool is_hidden = first < ' ' || first == 0x7f || (!has_unicode && (first & 0xc0) == 0x80);
    if (!is_hidden) words += !has_unicode && first >= 0x80 ? '?' : text.front();
    text.remove_prefix(1);
  }
  return words;
}

/// `text` in lines of at most `columns` characters; later lines begin with `indent` spaces.
std::string wrapped_text(const std::string& text, int columns, int indent) {
  std::string words, line;
  std::string_view rest = text;
  const auto end_line = [&] {
    words += line + "\n";
    line = std::string(static_cast<std::size_t>(indent), ' ');
  };
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' ', rest.find_first_not_of(' ')), rest.size());
    const std::string_view word = rest.substr(0, space);
    if (width_of(line) + width_of(word) > columns && width_of(line) > indent) end_line();
    line += width_of(line) == indent && !words.empty()
                ? word.substr(std::min(word.find_first_not_of(' '), word.size()))
                : word;
    rest.remove_prefix(space);
  }
  return words + line + "\n";
}

int ansi_colour(const paint& colour) {
  static constexpr std::pair<std::string_view, int> codes[] = {
      {"blue", 34},  {"vermilion", 31}, {"green", 32}, {"purple", 35},
      {"amber", 33}, {"sky", 36},       {"wine", 95},  {"stone", 90}};
  for (const auto& [name, code] : codes)
    if (colour.name == name) return code;
  return 0;
}

std::string in_colour(const std::string& text, int code, const text_style& style) {
  return style.has_colour && code != 0 ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

/// Draws one panel.
class panel_text {
 public:
  panel_text(const panel& panel, const text_style& style)
      : panel_(panel),
        style_(style),
        x_(x_range(panel)),
        y_(y_range(panel)),
        ticks_(y_ticks()),
        label_width_(longest_label()),
        canvas_(std::max(smallest_width, style.columns - label_width_ - 2), style.rows) {}

  std::string text() {
    if (panel_.cells) draw_cells();
    for (std::size_t i = 0; i < panel_.series.size(); ++i)
      if (panel_.series[i].mark == mark::band) draw_band(i);
    for (std::size_t i = 0; i < panel_.series.size(); ++i)
      if (panel_.series[i].mark != mark::band) draw_series(i);
    for (std::size_t i = 0; i < panel_.series.size(); ++i)
      if (panel_.series[i].mark != mark::band) name_series(i);
    return frame() + legend_;
  }

 private:
  bool is_y_reversed() const { return panel_.cells.has_value() != panel_.y.is_reversed; }

  std::vector<tick> y_ticks() const { return ticks_of(panel_.y, y_, std::max(2, style_.rows / 3)); }

  int longest_label() const {
    int label = 1;
    for (const tick& tick : ticks_)
      label = std::max(label, width_of(shown_text(tick.label, style_.has_unicode)));
    return label;
  }

  int dot_x(double x) const {
    const double share = share_at(x, x_, panel_.x.scale);
    return static_cast<int>(
        std::lround((panel_.x.is_reversed ? 1 - share : share) * (canvas_.dots_across() - 1)));
  }
  int dot_y(double y) const {
    const double share = share_at(y, y_, panel_.y.scale);
    return static_cast<int>(std::lround((is_y_reversed() ? share : 1 - share) * (canvas_.dots_down() - 1)));
  }
  bool has_dot(double x, double y) const {
    if (!has_place(x, panel_.x.scale) || !has_place(y, panel_.y.scale)) return false;
    const double across = share_at(x, x_, panel_.x.scale), up = share_at(y, y_, panel_.y.scale);
    constexpr double slack = 1e-9;
    return across >= -slack && across <= 1 + slack && up >= -slack && up <= 1 + slack;
  }

  int colour_of_series(std::size_t i) const { return ansi_colour(*look_of(panel_, i).colour); }

  /// Fills the band with every fourth dot, so that lines stay visible.
  void draw_band(std::size_t i) {
    const series& series = panel_.series[i];
    for (std::size_t k = 0; k + 1 < series.x.size(); ++k) {
      if (!has_dot(series.x[k], series.y[k]) || !has_place(series.x[k + 1], panel_.x.scale)) continue;
      const int first = dot_x(series.x[k]), last = dot_x(series.x[k + 1]);
      const int low = dot_y(series.y[k]),
                high = has_place(series.upper[k], panel_.y.scale) ? dot_y(series.upper[k]) : 0;
      for (int x = std::max(0, first); x <= std::min(last, canvas_.dots_across() - 1); ++x)
        for (int y = std::max(0, std::min(low, high));
             y <= std::min(std::max(low, high), canvas_.dots_down() - 1); ++y)
          if (x % 4 == 0 && y % 4 == 0) canvas_.dot(x, y, colour_of_series(i));
    }
    if (!series.name.empty()) add_to_legend(style_.has_unicode ? "⠁" : ".", series.name, colour_of_series(i));
  }

  void draw_series(std::size_t i) {
    const series& series = panel_.series[i];
    const int colour = colour_of_series(i);
    const bool is_line =
        series.mark != mark::points && series.mark != mark::bars && series.mark != mark::impulses;
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      if (!has_dot(series.x[k], series.y[k])) continue;
      const int x = dot_x(series.x[k]), y = dot_y(series.y[k]);
      if (series.mark == mark::bars || series.mark == mark::impulses) {
        const int zero = has_place(0, panel_.y.scale) ? std::clamp(dot_y(0), 0, canvas_.dots_down() - 1)
                                                      : canvas_.dots_down() - 1;
        canvas_.line(x, zero, x, y, colour);
      } else if (is_line && k > 0 && has_dot(series.x[k - 1], series.y[k - 1])) {
        draw_segment(dot_x(series.x[k - 1]), dot_y(series.y[k - 1]), x, y, series.mark == mark::steps,
                     colour);
      } else {
        canvas_.dot(x, y, colour);
      }
    }
  }

  void draw_segment(int x0, int y0, int x1, int y1, bool is_step, int colour) {
    if (!is_step) return canvas_.line(x0, y0, x1, y1, colour);
    canvas_.line(x0, y0, x1, y0, colour);
    canvas_.line(x1, y0, x1, y1, colour);
  }

  /// Numbers the points that have hints; draws a symbol on other series.
  void name_series(std::size_t i) {
    const series& curve = panel_.series[i];
    const int colour = colour_of_series(i);
    std::vector<std::size_t> visible;
    for (std::size_t k = 0; k < curve.x.size(); ++k)
      if (has_dot(curve.x[k], curve.y[k])) visible.push_back(k);
    if (visible.empty()) return;
    const bool is_listed =
        curve.mark == mark::points && !curve.hints.empty() && visible.size() + next_ <= symbols.size();
    if (is_listed) {
      for (const std::size_t k : visible) {
        const std::string symbol = next_symbol();
        put_near(curve.x[k], curve.y[k], symbol, colour);
        add_to_legend(symbol, curve.hints[k], colour);
      }
    } else if (!curve.name.empty() && next_ < symbols.size()) {
      const std::string symbol = next_symbol();
      const std::size_t names = static_cast<std::size_t>(std::count_if(
          panel_.series.begin(), panel_.series.end(), [](const series& each) { return !each.name.empty(); }));
      const std::size_t k = visible[std::min(visible.size() - 1, visible.size() * next_ / (names + 1))];
      put_near(curve.x[k], curve.y[k], symbol, colour);
      add_to_legend(symbol, curve.name, colour);
    } else if (!curve.labels.empty()) {
      for (const std::size_t k : visible) put_label(curve.x[k], curve.y[k], curve.labels[k], colour);
    }
  }

  std::string next_symbol() { return std::string(1, symbols[next_++]); }

  /// Puts a symbol on the nearest free cell, to the right first.
  void put_near(double x, double y, const std::string& symbol, int colour) {
    const int column = dot_x(x) / 2, row = dot_y(y) / 4;
    constexpr std::pair<int, int> places[] = {{0, 0}, {1, 0},  {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1},
                                              {2, 0}, {-2, 0}, {2, -1}, {2, 1},  {3, 0}, {-3, 0}, {4, 0}};
    for (const auto& [right, down] : places)
      if (canvas_.is_free(column + right, row + down))
        return canvas_.put(column + right, row + down, symbol, colour);
  }

  void put_label(double x, double y, const std::string& label, int colour) {
    int column = dot_x(x) / 2 + 1;
    for (const char letter : shown_text(label, false))
      canvas_.put(column++, dot_y(y) / 4, std::string(1, letter), colour);
  }

  void draw_cells() {
    static constexpr const char* blocks[] = {" ", "░", "▒", "▓", "█"};
    static constexpr std::string_view ascii = " .:-=+*#%@";
    const heat_map& cells = *panel_.cells;
    const range colours = colour_range(cells);
    for (int row = 0; row < canvas_.rows(); ++row)
      for (int column = 0; column < canvas_.columns(); ++column) {
        const double share = mean_of_cell(column, row, colours);
        if (std::isnan(share)) continue;
        const double place = std::clamp(share, 0.0, 1.0);
        const auto level = static_cast<std::size_t>(place * (style_.has_unicode ? 4 : 9) + 0.5);
        canvas_.put(column, row, style_.has_unicode ? blocks[level] : std::string(1, ascii[level]), 0);
      }
    legend_ += shown_text(fmt::format("  {} from {} (blank) to {} (full)\n", cells.title,
                                      label_of(colours.least), label_of(colours.most)),
                          style_.has_unicode) +
               "\n";
  }

  /// The mean of the cells under a character, from 0 to 1; NaN if all are empty.
  double mean_of_cell(int column, int row, const range& colours) const {
    const heat_map& cells = *panel_.cells;
    const auto first = [](int at, int count, std::size_t number) {
      return static_cast<std::size_t>(at) * number / static_cast<std::size_t>(count);
    };
    const std::size_t top = first(row, canvas_.rows(), cells.rows),
                      left = first(column, canvas_.columns(), cells.columns);
    const std::size_t bottom = std::max(top + 1, first(row + 1, canvas_.rows(), cells.rows));
    const std::size_t right = std::max(left + 1, first(column + 1, canvas_.columns(), cells.columns));
    double sum = 0, count = 0;
    for (std::size_t i = top; i < bottom; ++i)
      for (std::size_t k = left; k < right; ++k)
        if (const double value = cells.values[i * cells.columns + k]; std::isfinite(value)) {
          sum += value;
          ++count;
        }
    return (sum / count - colours.least) / (colours.most - colours.least);
  }

  void add_to_legend(const std::string& symbol, const std::string& text, int colour) {
    legend_ += in_colour("  " + symbol, colour, style_) + "  " +
               wrapped_text(shown_text(text, style_.has_unicode), style_.columns - 5, 5);
  }

  /// The plot area with its axes.
  std::string frame() {
    const std::string up = style_.has_unicode ? "│" : "|", corner = style_.has_unicode ? "└" : "+",
                      across = style_.has_unicode ? "─" : "-";
    std::string frame;
    if (!panel_.title.empty()) frame += "  " + shown_text(panel_.title, style_.has_unicode) + "\n";
    frame += shown_text(panel_.y.title, style_.has_unicode) + "\n";
    std::vector<std::string> labels(static_cast<std::size_t>(style_.rows));
    for (const tick& tick : ticks_)
      if (has_dot(panel_.x.is_reversed ? x_.most : x_.least, tick.at))
        labels[static_cast<std::size_t>(std::clamp(dot_y(tick.at) / 4, 0, style_.rows - 1))] =
            shown_text(tick.label, style_.has_unicode);
    for (int row = 0; row < style_.rows; ++row) {
      const std::string& label = labels[static_cast<std::size_t>(row)];
      frame += std::string(static_cast<std::size_t>(label_width_ - width_of(label)), ' ') + label + " " + up +
               canvas_.line_text(row, style_.has_unicode, style_.has_colour) + "\n";
    }
    frame += std::string(static_cast<std::size_t>(label_width_ + 1), ' ') + corner;
    for (int i = 0; i < canvas_.columns(); ++i) frame += across;
    return frame + "\n" + x_labels() + x_title();
  }

  std::string x_labels() const {
    std::string labels;  // ends at column width_of(r)
    for (const tick& column : ticks_of(panel_.x, x_, std::max(2, canvas_.columns() / 10))) {
      if (!has_place(column.at, panel_.x.scale)) continue;
      const double share = share_at(column.at, x_, panel_.x.scale);
      if (share < -1e-9 || share > 1 + 1e-9) continue;
      const std::string label = shown_text(column.label, style_.has_unicode);
      const int centre = label_width_ + 2 + dot_x(column.at) / 2;
      const int at = std::max(0, std::min(centre - width_of(label) / 2, style_.columns - width_of(label)));
      if (!labels.empty() && at <= width_of(labels)) continue;
      labels += std::string(static_cast<std::size_t>(at - width_of(labels)), ' ') + label;
    }
    return labels + "\n";
  }

  std::string x_title() const {
    const std::string title = shown_text(panel_.x.title, style_.has_unicode);
    const int at = std::max(0, label_width_ + 2 + (canvas_.columns() - width_of(title)) / 2);
    return std::string(static_cast<std::size_t>(at), ' ') + title + "\n";
  }

  const panel& panel_;
  const text_style& style_;
  range x_;
  range y_;
  std::vector<tick> ticks_;
  int label_width_;
  braille_canvas canvas_;
  std::string legend_;
  std::size_t next_ = 0;
};

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text = value;
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return text.find("utf-8") != text.npos || text.find("utf8") != text.npos;
  }
  return false;
}

}  // namespace

text_style terminal_style() {
  text_style style;
  style.columns = std::max(40, output::columns(output::stream::out));
  style.has_unicode = is_utf8_locale();
  style.has_colour = output::colour_is_wanted(output::stream::out);
  return style;
}

std::string text_of(const figure& figure, const text_style& style) {
  const std::string title = shown_text(figure.title, style.has_unicode);
  std::string text = (style.has_colour ? "\x1b[1m" + title + "\x1b[0m" : title) + "\n";
  text += wrapped_text(shown_text(figure.sentence, style.has_unicode), style.columns, 0);
  for (const panel& panel : figure.panels) {
    panel_text drawn(panel, style);
    text += "\n" + drawn.text();
  }
  return text;
}

}  // namespace ropewalk::plot
