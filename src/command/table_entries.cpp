#include "command/table_entries.hpp"

#include <cstring>
#include <utility>

#include "ropewalk/reference/frequency_divisor_digits.hpp"
#include "ropewalk/reference/rope_digits.hpp"
#include "writer/decimal.hpp"
#include "writer/literal.hpp"

namespace ropewalk::command {
namespace {

template <class Bits>
Bits element(const std::byte* bytes, std::int64_t at) {
  Bits bits{};
  std::memcpy(&bits, bytes + static_cast<std::size_t>(at) * sizeof bits, sizeof bits);
  return bits;
}

std::string infinity_text(number_style style, bool negative) {
  if (style == number_style::json) return std::string(writer::no_number);
  return negative ? "-inf" : "inf";
}

template <floating_format Float>
std::string number_text(bits_of<Float> bits, number_style style) {
  if (style == number_style::c) return writer::c_literal<Float>(bits);
  if (style == number_style::glsl) return writer::glsl_literal<Float>(bits);
  return is_finite<Float>(bits) ? writer::shortest_decimal<Float>(bits)
                                : infinity_text(style, is_negative<Float>(bits));
}

template <floating_format Float>
writer::text_row float_row(const std::byte* bytes, std::int64_t columns, number_style style) {
  writer::text_row row;
  for (std::int64_t i = 0; i < columns; ++i) {
    const auto bits = element<bits_of<Float>>(bytes, i);
    row.entries.push_back(number_text<Float>(bits, style));
    row.bits.push_back(writer::hexadecimal<Float>(bits));
  }
  return row;
}

std::string word_text(std::uint32_t word, number_style style) {
  return style == number_style::c || style == number_style::glsl ? writer::word_literal(word)
                                                                 : std::to_string(word);
}

writer::text_row row_with(std::string entry) {
  writer::text_row row;
  row.entries.push_back(std::move(entry));
  return row;
}

std::string cos_or_sin_digits(const position_list& positions, const table_place& place, const rope& config,
                              int digits) {
  const auto written = [&](auto position) {
    return place.is_sin ? reference::rope_sin_digits(position, place.pair, config, digits)
                        : reference::rope_cos_digits(position, place.pair, config, digits);
  };
  return positions.is_real() ? written(positions.real_at(place.position_row))
                             : written(positions.at(place.position_row));
}

}  // namespace

writer::text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns,
                              number_style style) {
  switch (dtype) {
    case table_dtype::f64: return float_row<double>(bytes, columns, style);
    case table_dtype::f32: return float_row<float>(bytes, columns, style);
    case table_dtype::f16: return float_row<binary16>(bytes, columns, style);
    case table_dtype::bf16: return float_row<bfloat16>(bytes, columns, style);
    case table_dtype::u32: break;
  }
  writer::text_row row;
  for (std::int64_t i = 0; i < columns; ++i)
    row.entries.push_back(word_text(element<std::uint32_t>(bytes, i), style));
  return row;
}

writer::text_row row_of_digits(const table_grid& grid, const rope& config, const position_list& positions,
                               std::int64_t row, int digits, number_style style) {
  const table_place place = grid.at(row, 0);
  switch (grid.form().kind) {
    case table_kind::inv_freq: return row_with(reference::rope_inv_freq_digits(place.pair, config, digits));
    case table_kind::turns: return row_with(reference::rope_turns_digits(place.pair, config, digits));
    case table_kind::ggml_factors: {
      const auto text = reference::rope_frequency_divisor_digits(place.pair, config, digits);
      return row_with(text ? *text : infinity_text(style, false));
    }
    default: break;
  }
  std::vector<std::string> cos(static_cast<std::size_t>(grid.pairs())), sin(cos.size());  // some stand twice
  writer::text_row made;
  for (std::int64_t column = 0; column < grid.columns(); ++column) {
    const table_place at = grid.at(row, column);
    std::string& text = (at.is_sin ? sin : cos)[static_cast<std::size_t>(at.pair)];
    if (text.empty()) text = cos_or_sin_digits(positions, at, config, digits);
    made.entries.push_back(text);
  }
  return made;
}

}  // namespace ropewalk::command
