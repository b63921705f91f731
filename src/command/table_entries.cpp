#include "command/table_entries.hpp"

#include <cstring>

#include "ropewalk/reference/rope_digits.hpp"
#include "writer/decimal.hpp"

namespace ropewalk::command {
namespace {

template <class Bits>
Bits element(const std::byte* bytes, std::int64_t at) {
  Bits bits{};
  std::memcpy(&bits, bytes + static_cast<std::size_t>(at) * sizeof bits, sizeof bits);
  return bits;
}

template <floating_format Float>
writer::text_row float_row(const std::byte* bytes, std::int64_t columns, infinities infinite) {
  writer::text_row row;
  for (std::int64_t i = 0; i < columns; ++i) {
    const auto bits = element<bits_of<Float>>(bytes, i);
    const char* const too_large = infinite == infinities::as_null ? "null"
                                  : is_negative<Float>(bits)      ? "-inf"
                                                                  : "inf";
    row.entries.push_back(is_finite<Float>(bits) ? writer::shortest_decimal<Float>(bits) : too_large);
    row.bits.push_back(writer::hexadecimal<Float>(bits));
  }
  return row;
}

}  // namespace

writer::text_row row_of_bytes(table_dtype dtype, const std::byte* bytes, std::int64_t columns,
                              infinities infinite) {
  switch (dtype) {
    case table_dtype::f64: return float_row<double>(bytes, columns, infinite);
    case table_dtype::f32: return float_row<float>(bytes, columns, infinite);
    case table_dtype::f16: return float_row<binary16>(bytes, columns, infinite);
    case table_dtype::bf16: return float_row<bfloat16>(bytes, columns, infinite);
    case table_dtype::u32: break;
  }
  writer::text_row row;
  for (std::int64_t i = 0; i < columns; ++i)
    row.entries.push_back(std::to_string(element<std::uint32_t>(bytes, i)));
  return row;
}

writer::text_row row_of_digits(table_kind kind, const rope& config, std::int64_t index, int digits) {
  writer::text_row row{.index = index, .entries = {}, .bits = {}};
  if (kind == table_kind::inv_freq)
    row.entries.push_back(reference::rope_inv_freq_digits(static_cast<int>(index), config, digits));
  if (kind == table_kind::turns)
    row.entries.push_back(reference::rope_turns_digits(static_cast<int>(index), config, digits));
  if (!has_positions(kind)) return row;
  for (int pair = 0; pair < pair_count(config); ++pair)
    row.entries.push_back(kind == table_kind::cos ? reference::rope_cos_digits(index, pair, config, digits)
                                                  : reference::rope_sin_digits(index, pair, config, digits));
  return row;
}

}  // namespace ropewalk::command
