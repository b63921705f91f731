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
byte_list codes_of(const heat_map& of, int largest) {
  const range within = colour_range(of);
  byte_list r;
  for (const double value : of.values) r.push_back(code_of(value, within, largest));
  return r;
}

/// How much neighbours in a row differ in all, and neighbours in a column.
struct roughness {
  std::uint64_t along_rows = 0;
  std::uint64_t along_columns = 0;
};

roughness roughness_of(const heat_map& of, const byte_list& codes) {
  roughness r;
  for (std::size_t row = 0; row < of.rows; ++row)
    for (std::size_t column = 0; column < of.columns; ++column) {
      const std::size_t at = row * of.columns + column;
      if (column > 0) r.along_rows += static_cast<std::uint64_t>(std::abs(codes[at] - codes[at - 1]));
      if (row > 0)
        r.along_columns += static_cast<std::uint64_t>(std::abs(codes[at] - codes[at - of.columns]));
    }
  return r;
}

/// The rows of the image, each behind its filter: 1, the difference from the pixel to the left.
byte_list filtered_rows(const heat_map& of, const byte_list& codes, bool is_transposed) {
  const std::size_t height = is_transposed ? of.columns : of.rows,
                    width = is_transposed ? of.rows : of.columns;
  byte_list r;
  for (std::size_t y = 0; y < height; ++y) {
    r.push_back(1);
    unsigned char left = 0;
    for (std::size_t x = 0; x < width; ++x) {
      const unsigned char code = codes[is_transposed ? x * of.columns + y : y * of.columns + x];
      r.push_back(static_cast<unsigned char>(code - left));
      left = code;
    }
  }
  return r;
}

byte_list compressed(const byte_list& data) {
  byte_list r(::compressBound(data.size()));
  uLongf size = r.size();
  if (::compress2(r.data(), &size, data.data(), data.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  r.resize(size);
  return r;
}

}  // namespace

cells_image image_of(const heat_map& of) {
  const int largest = of.values.size() > most_full_colour_cells ? largest_code / 2 : largest_code;
  const byte_list codes = codes_of(of, largest);
  const roughness rough = roughness_of(of, codes);
  cells_image r{.png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'},
                .is_transposed = rough.along_columns < rough.along_rows};
  byte_list header, palette, opacity(empty_code + 1, 0xff);
  add_word(header, static_cast<std::uint32_t>(r.is_transposed ? of.rows : of.columns));
  add_word(header, static_cast<std::uint32_t>(r.is_transposed ? of.columns : of.rows));
  header.insert(header.end(), {8, 3, 0, 0, 0});  // 8 bits, palette; deflate, filters by row, not interlaced
  for (int code = 0; code <= empty_code; ++code)
    for (const unsigned char part : palette_colour(static_cast<double>(code) / largest, of.is_diverging))
      palette.push_back(part);
  opacity.back() = 0;
  add_chunk(r.png, "IHDR", header);
  add_chunk(r.png, "PLTE", palette);
  add_chunk(r.png, "tRNS", opacity);
  add_chunk(r.png, "IDAT", compressed(filtered_rows(of, codes, r.is_transposed)));
  add_chunk(r.png, "IEND", {});
  return r;
}

}  // namespace ropewalk::plot
