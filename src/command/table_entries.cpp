#include "command/table_entries.hpp"

#include <cstring>
#include <utility>

#include "export/decimal.hpp"
#include "export/literal.hpp"

namespace ropewalk::command {
namespace {

template <class Bits>
Bits element(const std::byte* bytes, std::int64_t at) {
  Bits bits{};
  std::memcpy(&bits, bytes + static_cast<std::size_t>(at) * sizeof bits, sizeof bits);
  return bits;
}

std::string infinity_text(number_style style, bool negative) {
  if (style == number_style::json) return std::string(output::no_number);
  return negative ? "-inf" : "inf";
}

template <floating_format Float>
std::string number_text(bits_of<Float> bits, number_style style) {
  if (style == number_style::c) return output::c_literal<Float>(bits);
  if (style == number_style::glsl) return output::glsl_literal<Float>(bits);
  return is_finite<Float>(bits) ? output::shortest_decimal<Float>(bits)
                                : infinity_text(style, is_negative<Float>(bits));
}

template <floating_format Float>
output::text_row float_row(const std::byte* bytes, std::int64_t columns, number_style style) {
  output::text_row row;
  for (std::int64_t i = 0; i < columns; ++i) {
    const auto bits = element<bits_of<Float>>(bytes, i);
    row.entries.push_back(number_text<Float>(bits, style));
    row.bits.push_back(output::hexadecimal<Float>(bits));
  }
  return row;
}

std::string word_text(std::uint32_t word, number_style style) {
  return style == number_style::c || style == number_style::glsl ? output::word_literal(word)
                                                                 : std::to_string(word);
}

/// A row of whole numbers of 32 bits.
template <class Word, class Text>
output::text_row word_row(const std::byte* bytes, std::int64_t columns, const Text& text) {
  output::text_row row;
  for (std::int64_t i = 0; i < columns; ++i) row.entries.push_back(text(element<Word>(bytes, i)));
  return row;
}

}  // namespace

output::text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns,
                              number_style style) {
  switch (dtype) {
    case table_dtype::f64: return float_row<double>(bytes, columns, style);
    case table_dtype::f32: return float_row<float>(bytes, columns, style);
    case table_dtype::f16: return float_row<binary16>(bytes, columns, style);
    case table_dtype::bf16: return float_row<bfloat16>(bytes, columns, style);
    case table_dtype::i32:
      return word_row<std::int32_t>(bytes, columns, [](std::int32_t word) { return std::to_string(word); });
    case table_dtype::u32: break;
  }
  return word_row<std::uint32_t>(bytes, columns, [&](std::uint32_t word) { return word_text(word, style); });
}

output::text_row row_of_digits(std::vector<std::string> digits, number_style style) {
  for (std::string& entry : digits)
    if (entry == infinite_digits) entry = infinity_text(style, false);
  output::text_row row;
  row.entries = std::move(digits);
  return row;
}

}  // namespace ropewalk::command
