#include "plot/cells_image.hpp"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

#include "plot/cell_codes.hpp"
#include "plot/palette.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

void add_word(byte_list& to, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<unsigned char>(word >> shift & 0xff));
}

/// A chunk of a PNG: length, type, data and CRC-32 (ISO/IEC 15948, section 5.3).
void add_chunk(byte_list& to, std::string_view type, const byte_list& data) {
  add_word(to, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = to.size();
  to.insert(to.end(), type.begin(), type.end());
  to.insert(to.end(), data.begin(), data.end());
  add_word(to, static_cast<std::uint32_t>(
                   ::crc32(::crc32(0, nullptr, 0), to.data() + begin, static_cast<uInt>(to.size() - begin))));
}

/// Codes of the cells, [rows, columns].
byte_list codes_of(const heat_map& map, int largest) {
  const range within = colour_range(map);
  byte_list codes;
  for (const double value : map.values) codes.push_back(code_of(value, within, largest));
  return codes;
}

/// Sums of differences between neighbours in rows, and in columns.
struct roughness {
  std::uint64_t along_rows = 0;
  std::uint64_t along_columns = 0;
};

roughness roughness_of(const heat_map& map, const byte_list& codes) {
  roughness result;
  for (std::size_t row = 0; row < map.rows; ++row)
    for (std::size_t column = 0; column < map.columns; ++column) {
      const std::size_t at = row * map.columns + column;
      if (column > 0) result.along_rows += static_cast<std::uint64_t>(std::abs(codes[at] - codes[at - 1]));
      if (row > 0)
        result.along_columns += static_cast<std::uint64_t>(std::abs(codes[at] - codes[at - map.columns]));
    }
  return result;
}

/// The rows of the image, each after its filter type: 1, the difference from the pixel to the left.
byte_list filtered_rows(const heat_map& map, const byte_list& codes, bool is_transposed) {
  const std::size_t height = is_transposed ? map.columns : map.rows,
                    width = is_transposed ? map.rows : map.columns;
  byte_list rows;
  for (std::size_t y = 0; y < height; ++y) {
    rows.push_back(1);
    unsigned char left = 0;
    for (std::size_t x = 0; x < width; ++x) {
      const unsigned char code = codes[is_transposed ? x * map.columns + y : y * map.columns + x];
      rows.push_back(static_cast<unsigned char>(code - left));
      left = code;
    }
  }
  return rows;
}

byte_list compressed(const byte_list& data) {
  byte_list compressed(::compressBound(data.size()));
  uLongf size = compressed.size();
  if (::compress2(compressed.data(), &size, data.data(), data.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  compressed.resize(size);
  return compressed;
}

}  // namespace

cells_image image_of(const heat_map& map) {
  const int largest = map.values.size() > most_full_colour_cells ? largest_code / 2 : largest_code;
  const byte_list codes = codes_of(map, largest);
  const roughness rough = roughness_of(map, codes);
  cells_image image{.png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'},
                    .is_transposed = rough.along_columns < rough.along_rows};
  byte_list header, palette, opacity(empty_code + 1, 0xff);
  add_word(header, static_cast<std::uint32_t>(image.is_transposed ? map.rows : map.columns));
  add_word(header, static_cast<std::uint32_t>(image.is_transposed ? map.columns : map.rows));
  header.insert(header.end(), {8, 3, 0, 0, 0});  // 8 bits, palette; deflate, filters by row, not interlaced
  for (int code = 0; code <= empty_code; ++code)
    for (const unsigned char part : palette_colour(static_cast<double>(code) / largest, map.is_diverging))
      palette.push_back(part);
  opacity.back() = 0;
  add_chunk(image.png, "IHDR", header);
  add_chunk(image.png, "PLTE", palette);
  add_chunk(image.png, "tRNS", opacity);
  add_chunk(image.png, "IDAT", compressed(filtered_rows(map, codes, image.is_transposed)));
  add_chunk(image.png, "IEND", {});
  return image;
}

}  // namespace ropewalk::plot
