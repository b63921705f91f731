#pragma once
// Index codes, the precursors of sinusoidal encodings: their kinds and their configuration.

#include <cstdint>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Kind of code: the position, the position over length - 1, its binary digits, or one sine per channel.
enum class index_code_kind { integer, normalised, binary, sine_only };

/// Binary digit that comes first: the least significant, or the most significant, as numbers are written.
enum class bit_order { lsb, msb };

/// The kind's name in table files: "integer", "normalised", "binary" or "sine-only".
constexpr const char* name_of(index_code_kind kind) {
  switch (kind) {
    case index_code_kind::integer: return "integer";
    case index_code_kind::normalised: return "normalised";
    case index_code_kind::binary: return "binary";
    case index_code_kind::sine_only: break;
  }
  return "sine-only";
}
/// "lsb" or "msb": the order's name on the command line.
constexpr const char* name_of(bit_order order) { return order == bit_order::lsb ? "lsb" : "msb"; }

/// One index code. Structural: a table's template argument.
struct index_code {
  index_code_kind kind = index_code_kind::integer;
  int width = 1;            // number of channels; 1 for integer and normalised
  std::int64_t length = 0;  // length of the sequence; normalised only
  double base = 10000;      // sine_only only
  bit_order order = bit_order::lsb;
};

inline constexpr int largest_bit_count = 62;
inline constexpr int largest_code_width = 65536;

/// Whether the code's numbers are rational: true for every kind except sine_only.
constexpr bool is_rational(index_code_kind kind) { return kind != index_code_kind::sine_only; }

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const index_code& config) {
  switch (config.kind) {
    case index_code_kind::normalised:
      require(config.length >= 1 && config.length <= largest_position + 1, "length",
              static_cast<double>(config.length), "a whole number from 1 to 2147483648");
      [[fallthrough]];
    case index_code_kind::integer:
      require(config.width == 1, "width", config.width, "1: the code is one number");
      break;
    case index_code_kind::binary:
      require(config.width >= 1 && config.width <= largest_bit_count, "width", config.width,
              "a number from 1 to 62");
      require(config.order == bit_order::lsb || config.order == bit_order::msb, "order",
              static_cast<double>(config.order), "lsb or msb");
      break;
    case index_code_kind::sine_only:
      require(config.width >= 1 && config.width <= largest_code_width, "width", config.width,
              "a number from 1 to 65536");
      require(config.base > 1 && config.base <= largest_number, "base", config.base,
              "a finite number above 1");
      break;
    default: refuse("kind", static_cast<double>(config.kind), "integer, normalised, binary or sine-only");
  }
}

/// Refuses a position that has no code; positions never wrap around.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate_position(std::int64_t position, const index_code& config) {
  validate(config);
  const auto value = static_cast<double>(position);
  if (config.kind == index_code_kind::normalised)
    require(position >= 0 && position < config.length, "position", value, "a number from 0 to length - 1");
  if (config.kind == index_code_kind::binary)
    require(position >= 0 && position < std::int64_t{1} << config.width, "position", value,
            "a number from 0 to 2^width - 1");
}

}  // namespace ropewalk
