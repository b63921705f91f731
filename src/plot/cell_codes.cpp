#include "plot/cell_codes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "plot/base64.hpp"

namespace ropewalk::plot {

unsigned char code_of(double value, const range& within, int largest) {
  const double place = std::clamp((value - within.least) / (within.most - within.least), 0.0, 1.0);
  return std::isfinite(value) ? static_cast<unsigned char>(std::lround(place * largest))
                              : static_cast<unsigned char>(empty_code);
}

std::string coded_cells(const heat_map& map, const range& within) {
  byte_list steps;
  for (std::size_t column = 0; column < map.columns; ++column) {
    unsigned char before = 0;
    for (std::size_t row = 0; row < map.rows; ++row) {
      const unsigned char code = code_of(map.values[row * map.columns + column], within, largest_code);
      steps.push_back(static_cast<unsigned char>(code - before));
      before = code;
    }
  }
  byte_list packed(::compressBound(steps.size()));
  uLongf size = packed.size();
  if (::compress2(packed.data(), &size, steps.data(), steps.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  packed.resize(size);
  return base64(packed);
}

std::optional<std::vector<double>> cells_of(std::string_view coded, std::size_t rows, std::size_t columns,
                                            const range& within) {
  const std::optional<byte_list> packed = from_base64(coded);
  if (!packed) return std::nullopt;
  byte_list steps(rows * columns);
  uLongf size = steps.size();
  if (::uncompress(steps.data(), &size, packed->data(), packed->size()) != Z_OK || size != steps.size())
    return std::nullopt;
  std::vector<double> numbers(steps.size());
  for (std::size_t column = 0; column < columns; ++column) {
    unsigned char code = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      code = static_cast<unsigned char>(code + steps[column * rows + row]);
      numbers[row * columns + column] =
          code == empty_code ? std::numeric_limits<double>::quiet_NaN()
                             : within.least + (within.most - within.least) * code / largest_code;
    }
  }
  return numbers;
}

}  // namespace ropewalk::plot
