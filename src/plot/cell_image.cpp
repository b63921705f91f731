#include "plot/cell_image.hpp"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "export/base64.hpp"
#include "plot/cell_codes.hpp"
#include "plot/palette.hpp"

namespace ropewalk::plot {
namespace {

using byte_list = std::vector<unsigned char>;

// PNG, second edition (ISO/IEC 15948), sections 5.3 and 11.2.
constexpr unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr unsigned char bits_of_pixel = 8, colours_of_a_palette = 3, no_filter = 0;

void add_word(byte_list& to, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<unsigned char>(word >> shift));
}

void add_chunk(byte_list& to, std::string_view type, const byte_list& content) {
  add_word(to, static_cast<std::uint32_t>(content.size()));
  byte_list checked(type.begin(), type.end());
  checked.insert(checked.end(), content.begin(), content.end());
  to.insert(to.end(), checked.begin(), checked.end());
  add_word(to, static_cast<std::uint32_t>(
                   ::crc32(::crc32(0, nullptr, 0), checked.data(), static_cast<uInt>(checked.size()))));
}

byte_list header_of(const heat_map& of) {
  byte_list r;
  add_word(r, static_cast<std::uint32_t>(of.columns));
  add_word(r, static_cast<std::uint32_t>(of.rows));
  r.insert(r.end(), {bits_of_pixel, colours_of_a_palette, 0, 0, 0});
  return r;
}

byte_list palette_of(const heat_map& of) {
  byte_list r;
  for (int code = 0; code <= empty_code; ++code)
    for (const unsigned char part : colour_at(static_cast<double>(code) / largest_code, of.is_diverging))
      r.push_back(part);
  return r;
}

/// Opaque colours, and a transparent one for empty cells.
byte_list opacities() {
  byte_list r(empty_code + 1, 0xff);
  r[empty_code] = 0;
  return r;
}

/// Of images with so many cells that none is seen alone, colours are told apart by fewer bits.
constexpr int bits_left_out = 2;

byte_list pixels_of(const heat_map& of) {
  byte_list codes = codes_of(of.values, colour_range(of));
  if (of.values.size() > most_plain_cells)
    for (unsigned char& code : codes)
      if (code != empty_code) code = static_cast<unsigned char>(code >> bits_left_out << bits_left_out);
  byte_list r;
  for (std::size_t row = 0; row < of.rows; ++row) {
    r.push_back(no_filter);
    const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(row * of.columns);
    r.insert(r.end(), begin, begin + static_cast<std::ptrdiff_t>(of.columns));
  }
  return deflated(r);
}

}  // namespace

std::string cell_image(const heat_map& of) {
  byte_list png(std::begin(signature), std::end(signature));
  add_chunk(png, "IHDR", header_of(of));
  add_chunk(png, "PLTE", palette_of(of));
  add_chunk(png, "tRNS", opacities());
  add_chunk(png, "IDAT", pixels_of(of));
  add_chunk(png, "IEND", {});
  return "data:image/png;base64," + output::base64_of(png);
}

}  // namespace ropewalk::plot
