#include "plot/cell_codes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>

namespace ropewalk::plot {
namespace {

// Base64 of RFC 4648, section 4.
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using byte_list = std::vector<unsigned char>;

std::string base64(const byte_list& data) {
  std::string r;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, data.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? data[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) r += k <= count ? alphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return r;
}

std::optional<byte_list> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  byte_list r;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t digit = alphabet.find(letter);
    if (digit == alphabet.npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    r.push_back(static_cast<unsigned char>(group >> bits & 0xff));
  }
  return r;
}

}  // namespace

std::string coded_cells(const std::vector<double>& values, const range& within) {
  byte_list codes;
  for (const double value : values) {
    const double place = std::clamp((value - within.least) / (within.most - within.least), 0.0, 1.0);
    codes.push_back(std::isfinite(value) ? static_cast<unsigned char>(std::lround(place * largest_code))
                                         : static_cast<unsigned char>(empty_code));
  }
  byte_list packed(::compressBound(codes.size()));
  uLongf size = packed.size();
  if (::compress2(packed.data(), &size, codes.data(), codes.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  packed.resize(size);
  return base64(packed);
}

std::optional<std::vector<double>> cells_of(std::string_view coded, std::size_t count, const range& within) {
  const std::optional<byte_list> packed = from_base64(coded);
  if (!packed) return std::nullopt;
  byte_list codes(count);
  uLongf size = codes.size();
  if (::uncompress(codes.data(), &size, packed->data(), packed->size()) != Z_OK || size != count)
    return std::nullopt;
  std::vector<double> r;
  for (const unsigned char code : codes)
    r.push_back(code == empty_code ? std::numeric_limits<double>::quiet_NaN()
                                   : within.least + (within.most - within.least) * code / largest_code);
  return r;
}

}  // namespace ropewalk::plot
