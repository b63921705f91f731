#pragma once
// Cells of a heat map as text: codes of 8 bits, compressed by zlib, in base64.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plot/ticks.hpp"

namespace ropewalk::plot {

/// A value v has the code nearest to (v - least) / (most - least) * 254; an empty cell has 255.
inline constexpr int largest_code = 254;
inline constexpr int empty_code = 255;

/// The codes of all values.
std::vector<unsigned char> codes_of(const std::vector<double>& values, const range& within);

/// Bytes, compressed by zlib as small as it can.
std::vector<unsigned char> deflated(const std::vector<unsigned char>& bytes);

std::string coded_cells(const std::vector<double>& values, const range& within);

/// The values of `count` codes; nullopt if the text holds no such codes.
std::optional<std::vector<double>> cells_of(std::string_view coded, std::size_t count, const range& within);

}  // namespace ropewalk::plot
