#pragma once
// The check sum of ZIP archives: polynomial 0x04c11db7, bits reflected (ISO 3309).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ropewalk::output {

namespace detail {

/// Remainders of every byte that 0 to 7 zero bytes follow: eight bytes are then taken in one step.
using crc32_remainders = std::array<std::array<std::uint32_t, 256>, 8>;

consteval crc32_remainders make_crc32_remainders() {
  crc32_remainders made{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xedb88320U : 0U);
    made[0][byte] = remainder;
  }
  for (std::size_t zeros = 1; zeros < made.size(); ++zeros)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = made[zeros - 1][byte];
      made[zeros][byte] = (before >> 8) ^ made[0][before & 255];
    }
  return made;
}

inline constexpr crc32_remainders remainders = make_crc32_remainders();

}  // namespace detail

/// The check sum of what `before` is the sum of, followed by `bytes`.
constexpr std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0) {
  std::uint32_t sum = ~before;
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(bytes[at]) & 255; };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t held = i < 4 ? sum >> (8 * i) & 255 : 0;
      next ^= detail::remainders[7 - i][byte(at + i) ^ held];
    }
    sum = next;
  }
  for (; at < bytes.size(); ++at) sum = (sum >> 8) ^ detail::remainders[0][(sum & 255) ^ byte(at)];
  return ~sum;
}

static_assert(crc32("123456789") == 0xcbf43926U);  // the check value of every catalogue of check sums
static_assert(crc32("6789", crc32("12345")) == 0xcbf43926U);

}  // namespace ropewalk::output
