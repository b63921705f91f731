#pragma once
// Cells of a heat map as text: codes of 8 bits, compressed by zlib, in base64.

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

/// The code of a value: the number nearest to (value - least) / (most - least) * largest; of an empty cell,
/// empty_code.
///
/// domain  0 < largest < empty_code
unsigned char code_of(double value, const range& within, int largest);

/// The codes of all cells up to largest_code, column by column, each as its difference from the one above,
/// modulo 256, and of the first from 0: what neighbours share then costs little.
std::string coded_cells(const heat_map& map, const range& within);

/// The values that such codes stand for, [rows, columns]; nullopt if the text holds none.
std::optional<std::vector<double>> cells_of(std::string_view coded, std::size_t rows, std::size_t columns,
                                            const range& within);

}  // namespace ropewalk::plot
