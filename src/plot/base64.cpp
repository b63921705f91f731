#include "plot/base64.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ropewalk::plot {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(const byte_list& data) {
  std::string base64;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, data.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? data[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) base64 += k <= count ? alphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return base64;
}

std::optional<byte_list> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  byte_list list;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t digit = alphabet.find(letter);
    if (digit == alphabet.npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    list.push_back(static_cast<unsigned char>(group >> bits & 0xff));
  }
  return list;
}

}  // namespace ropewalk::plot
