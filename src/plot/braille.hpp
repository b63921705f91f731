#pragma once
// A drawing in characters: each character has 2 x 4 dots, as in braille, or is a single glyph.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ropewalk::plot {

class braille_canvas {
 public:
  /// Size in characters.
  braille_canvas(int columns, int rows)
      : columns_(columns),
        rows_(rows),
        cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int dots_across() const { return 2 * columns_; }
  int dots_down() const { return 4 * rows_; }

  /// Sets a dot, counted from the left and the top, in an ANSI terminal colour (0: the default). Dots outside
  /// are dropped.
  void dot(int x, int y, int colour);
  void line(int x0, int y0, int x1, int y1, int colour);

  /// Writes a character over the dots of a cell; `glyph` is in UTF-8.
  void put(int column, int row, std::string glyph, int colour);
  bool is_free(int column, int row) const;

  /// One line of the drawing. Without Unicode, dots become . ' and :
  std::string line_text(int row, bool has_unicode, bool has_colour) const;

 private:
  struct cell {
    std::uint8_t dots = 0;
    int colour = 0;
    std::string glyph{};
  };
  cell& at(int column, int row) {
    return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
  }
  const cell& at(int column, int row) const { return const_cast<braille_canvas&>(*this).at(column, row); }

  int columns_;
  int rows_;
  std::vector<cell> cells_;
};

}  // namespace ropewalk::plot
