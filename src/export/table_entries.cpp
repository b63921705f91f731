#include "export/table_entries.hpp"

#include <cstring>
#include <utility>

#include "output/decimal.hpp"
#include "output/literal.hpp"

namespace ropewalk::tables {
namespace {

template <class Bits>
Bits element(const std::byte* bytes, std::int64_t at) {
  Bits bits{};
  std::memcpy(&bits, bytes + static_cast<std::size_t>(at) * sizeof bits, sizeof bits);
  return bits;
}

std::string infinity_text(number_style style, bool negative) {
  if (style == number_style::json) return std::string(no_number);
  return negative ? "-inf" : "inf";
}

template <floating_format Float>
std::string number_text(bits_of<Float> bits, number_style style) {
  if (style == number_style::c) return output::c_literal<Float>(bits);
  if (style == number_style::glsl) return output::glsl_literal<Float>(bits);
  if (style == number_style::python) return output::python_literal<Float>(bits);
  if (style == number_style::rust) return output::rust_literal<Float>(bits);
  if (is_finite<Float>(bits)) return output::shortest_decimal<Float>(bits);
  if (!is_nan<Float>(bits)) return infinity_text(style, is_negative<Float>(bits));
  return style == number_style::json ? std::string(no_number) : "nan";
}

template <floating_format Float>
text_row float_row(const std::byte* bytes, std::int64_t columns, number_style style) {
  text_row row;
  for (std::int64_t i = 0; i < columns; ++i) {
    const auto bits = element<bits_of<Float>>(bytes, i);
    row.entries.push_back(number_text<Float>(bits, style));
    row.bits.push_back(output::hexadecimal<Float>(bits));
  }
  return row;
}

std::string word_text(std::uint32_t word, number_style style) {
  if (style == number_style::c || style == number_style::glsl) return output::word_literal(word);
  if (style == number_style::python || style == number_style::rust) return output::word_literal(word, "");
  return std::to_string(word);
}

/// Text of a 32-bit entry: a word of a turn fraction, in hexadecimal in source code, or an integer.
std::string entry_text(std::uint32_t word, number_style style) { return word_text(word, style); }
std::string entry_text(std::int32_t number, number_style /*style*/) { return std::to_string(number); }

template <class Word>
text_row word_row(const std::byte* bytes, std::int64_t columns, number_style style) {
  text_row row;
  for (std::int64_t i = 0; i < columns; ++i)
    row.entries.push_back(entry_text(element<Word>(bytes, i), style));
  return row;
}

}  // namespace

text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns, number_style style) {
  return visit_element(dtype, [&]<class Element>() {
    if constexpr (floating_format<Element>)
      return float_row<Element>(bytes, columns, style);
    else
      return word_row<Element>(bytes, columns, style);
  });
}

text_row row_of_digits(std::vector<std::string> digits, number_style style) {
  for (std::string& entry : digits)
    if (entry == infinite_digits) entry = infinity_text(style, false);
  text_row row;
  row.entries = std::move(digits);
  return row;
}

}  // namespace ropewalk::tables
