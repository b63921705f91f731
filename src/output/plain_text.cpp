#include "output/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ropewalk::output {
namespace {

/// A character of a text, and how many bytes it has there.
struct character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

/// The character at the beginning of `text`, if its first bytes are UTF-8 of the shortest form.
std::optional<character> first_character(std::string_view text) {
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};  // by number of bytes
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (bytes == 0 || lead >= 0xf8 || bytes > text.size()) return std::nullopt;
  std::uint32_t code = bytes == 1 ? lead : lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (next & 0x3f);
  }
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (code < smallest[bytes] || code > 0x10ffff || is_surrogate) return std::nullopt;
  return character{code, bytes};
}

bool is_control(std::uint32_t code) { return code < ' ' || (code >= 0x7f && code < 0xa0); }

/// Marks that change the direction of the text after them.
bool is_direction(std::uint32_t code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/// U+2028 and U+2029 end a line in some readers.
bool is_shown(std::uint32_t code) {
  const bool is_separator = code == 0x2028 || code == 0x2029, is_character = (code & 0xfffe) != 0xfffe;
  return !is_control(code) && !is_direction(code) && !is_separator && is_character;
}

std::string escaped_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string words;
  while (!text.empty()) {
    const auto value = first_character(text);
    const std::string_view bytes = text.substr(0, value ? value->bytes : 1);
    const bool is_kept = bytes == "\n" || bytes == "\t" || (value && is_shown(value->code));
    words += is_kept ? std::string(bytes) : escaped_bytes(bytes);
    text.remove_prefix(bytes.size());
  }
  return words;
}

std::string plain_line(std::string_view text) {
  std::string line;
  for (const char letter : plain_text(text)) {
    if (letter == '\n')
      line += "\\n";
    else if (letter == '\t')
      line += "\\t";
    else
      line += letter;
  }
  return line;
}

std::string markup_text(std::string_view text) {
  constexpr std::string_view markup = "&<>|`*_~[]\\#$";
  std::string words;
  for (const char letter : plain_line(text))
    words += markup.find(letter) == markup.npos ? std::string(1, letter) : fmt::format("&#{};", int{letter});
  return words;
}

std::string markup_code(std::string_view text) { return "<code>" + markup_text(text) + "</code>"; }

}  // namespace ropewalk::output
