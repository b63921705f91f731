#pragma once
// The style sheet of figures: colours that colour-blind readers can tell apart, with a mark or a dash as a
// second code, and the sizes of everything. One role looks alike in every figure.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plot/figure.hpp"

namespace ropewalk::plot {

/// A colour by name, on white paper and on dark.
struct paint {
  std::string_view name;  // of the CSS variable --figure-NAME
  std::string_view light;
  std::string_view dark;
};

/// All colours: first those of series, which `series::colour` counts, then ink, grid and paper.
std::span<const paint> paints();
/// How many of them are of series.
extern const std::size_t series_paints;

const paint& paint_named(std::string_view name);

/// How a series is drawn.
struct look {
  const paint* colour = nullptr;
  double width = 1;
  int dash = 1;   // gnuplot's dash type; 1 is solid
  int point = 7;  // gnuplot's point type
};

/// The look of series `index` of a panel. Lines of one role differ in their dashes, points of role `other` in
/// their marks.
look look_of(const panel& panel, std::size_t index);

/// CSS that gives the colours of figures their light and dark values, for a page that holds figures inline:
/// variables --figure-NAME of `selector`.
std::string css_variables(std::string_view selector, bool is_dark);

/// CSS of the classes in a figure's SVG, for a page that holds figures inline, once.
std::string css_classes();

// Sizes in pixels of an SVG; a PNG has twice as many.
inline constexpr int figure_width = 760;
inline constexpr int panel_height = 390;         // of figures with one panel a row
inline constexpr int narrow_panel_height = 310;  // with several
inline constexpr int font_size = 13;
inline constexpr int small_font_size = 11;  // of ticks and labels
inline constexpr int title_font_size = 16;
inline constexpr int png_scale = 2;

/// The share of a band's colour that covers what is behind it.
inline constexpr double band_opacity = 0.18;

}  // namespace ropewalk::plot
