#pragma once
// The style sheet of figures: sizes, and colours that colour-blind readers can distinguish, with marks or
// dashes as a second code. A role looks the same in every figure.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plot/figure.hpp"

namespace ropewalk::plot {

/// A named colour, on white paper and on dark paper.
struct paint {
  std::string_view name;  // of the CSS variable --figure-NAME
  std::string_view light;
  std::string_view dark;
};

/// All colours: first those of series, which `series::colour` indexes, then ink, grid and paper.
std::span<const paint> paints();
/// Number of colours of series.
extern const std::size_t series_paints;

const paint& paint_named(std::string_view name);

/// Colour, width, dash and mark of a series.
struct look {
  const paint* colour = nullptr;
  double width = 1;
  int dash = 1;   // gnuplot's dash type; 1 is solid
  int point = 7;  // gnuplot's point type
};

/// The look of series `index` of a panel. Lines of one role differ in dashes; points of role `other` differ
/// in marks.
look look_of(const panel& panel, std::size_t index);

/// CSS variables --figure-NAME of `selector` with the light or dark colours, for a page with inline figures.
std::string css_variables(std::string_view selector, bool is_dark);

/// CSS of the classes in a figure's SVG; needed once per page with inline figures.
std::string css_classes();

// Sizes in pixels of an SVG; a PNG has twice as many pixels.
inline constexpr int figure_width = 760;
inline constexpr int panel_height = 390;         // with one panel per row
inline constexpr int narrow_panel_height = 310;  // with several panels per row
inline constexpr int font_size = 13;
inline constexpr int small_font_size = 11;  // of ticks and labels
inline constexpr int title_font_size = 16;
inline constexpr int png_scale = 2;

/// Opacity of a band.
inline constexpr double band_opacity = 0.18;

}  // namespace ropewalk::plot
