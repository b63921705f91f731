#pragma once
// A figure as text for a terminal: lines and points in braille, heat maps in blocks. Points with hints are
// numbered; the hints follow in a list.

#include <string>

#include "plot/figure.hpp"

namespace ropewalk::plot {

struct text_style {
  int columns = 80;
  int rows = 20;  // of a panel's plot area
  bool has_unicode = true;
  bool has_colour = false;
};

/// The style for standard output and the environment: the terminal's width, colour unless NO_COLOR is set,
/// ASCII if the locale is not UTF-8.
text_style terminal_style();

std::string text_of(const figure& figure, const text_style& style);

}  // namespace ropewalk::plot
