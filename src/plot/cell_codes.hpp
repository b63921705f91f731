#pragma once
// Cells of a heat map as text: 8-bit codes, compressed by zlib, in base64.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plot/figure.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {

inline constexpr int largest_code = 254;
inline constexpr int empty_code = 255;

/// The code of a value: the nearest integer to (value - least) / (most - least) * largest; empty_code for an
/// empty cell.
///
/// domain  0 < largest < empty_code
unsigned char code_of(double value, const range& within, int largest);

/// The codes of all cells up to largest_code, column by column. Each is stored as its difference, modulo 256,
/// from the cell above (the first from 0), since similar neighbours then compress well.
std::string coded_cells(const heat_map& map, const range& within);

/// Decodes such a text to values [rows, columns]; nullopt if it is invalid.
std::optional<std::vector<double>> cells_of(std::string_view coded, std::size_t rows, std::size_t columns,
                                            const range& within);

}  // namespace ropewalk::plot
