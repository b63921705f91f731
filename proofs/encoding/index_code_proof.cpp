// Index codes: binary codes are injective but jump, normalised codes depend on the length, and no linear map
// shifts a code of sines alone.

#include "ropewalk/encoding/index_code.hpp"

#include "ropewalk/table/index_code_table.hpp"

namespace index_code_proof {

using namespace ropewalk;

constexpr int width = 8;
constexpr index_code fast_first{.kind = index_code_kind::binary, .width = width};
constexpr index_code slow_first{.kind = index_code_kind::binary, .width = width, .order = bit_order::msb};

constexpr bool is(const rational<1>& x, std::int64_t numerator, std::int64_t denominator) {
  return x == rational<1>::of(numerator) / rational<1>::of(denominator);
}

constexpr int digit(std::int64_t position, int column, const index_code& config) {
  return is(exact_index_code(position, column, config), 1, 1) ? 1 : 0;
}

/// The digits determine the position, so the code is injective.
consteval bool binary_codes_give_their_positions_back(const index_code& config) {
  for (std::int64_t position = 0; position < 1 << width; ++position) {
    std::int64_t read = 0;
    for (int column = 0; column < width; ++column)
      read += std::int64_t{digit(position, column, config)}
              << (config.order == bit_order::lsb ? column : width - 1 - column);
    if (read != position) return false;
  }
  return true;
}
static_assert(binary_codes_give_their_positions_back(fast_first));
static_assert(binary_codes_give_their_positions_back(slow_first));

/// Bit k differs between p - 1 and p exactly where 2^k divides p.
consteval bool bit_k_changes_every_2_to_the_k_positions() {
  for (int k = 0; k < width; ++k)
    for (std::int64_t p = 1; p < 1 << width; ++p)
      if ((digit(p, k, fast_first) != digit(p - 1, k, fast_first)) != (p % (1 << k) == 0)) return false;
  return true;
}
static_assert(bit_k_changes_every_2_to_the_k_positions());

/// [0, 0], [0, 1], [1, 0], [1, 1]: two bits, the slowest first.
consteval bool two_bits_slowest_first_count_to_three() {
  constexpr index_code two{.kind = index_code_kind::binary, .width = 2, .order = bit_order::msb};
  for (std::int64_t p = 0; p < 4; ++p)
    if (digit(p, 0, two) != p / 2 || digit(p, 1, two) != p % 2) return false;
  return true;
}
static_assert(two_bits_slowest_first_count_to_three());

/// From 2^(width - 1) - 1 to 2^(width - 1) every bit flips: the codes of neighbouring positions can be
/// opposite corners of the cube.
consteval bool neighbours_can_differ_in_every_bit() {
  for (int k = 0; k < width; ++k)
    if (digit(127, k, fast_first) == digit(128, k, fast_first)) return false;
  return true;
}
static_assert(neighbours_can_differ_in_every_bit());

/// Position 2 has the code 1/2 in a sequence of 5, and 2/99 in one of 100.
consteval bool normalised_codes_change_with_the_length() {
  const auto of_length = [](std::int64_t length) {
    return exact_index_code(2, 0, {.kind = index_code_kind::normalised, .length = length});
  };
  return is(of_length(5), 1, 2) && is(of_length(100), 2, 99);
}
static_assert(normalised_codes_change_with_the_length());

consteval bool normalised_codes_run_from_zero_to_one() {
  const auto code = [](std::int64_t p, std::int64_t length) {
    return exact_index_code(p, 0, {.kind = index_code_kind::normalised, .length = length});
  };
  return is(code(0, 100), 0, 1) && is(code(99, 100), 1, 1) && is(code(0, 1), 0, 1);
}
static_assert(normalised_codes_run_from_zero_to_one());

/// 2049 / 4096 and 2051 / 4096 are rounding midpoints of binary16: the first rounds down, the second up.
consteval bool ties_of_normalised_codes_go_to_even() {
  constexpr index_code config{.kind = index_code_kind::normalised, .length = 4097};
  return round_index_code<binary16>(2049, 0, config) == round_index_code<binary16>(2048, 0, config) &&
         round_index_code<binary16>(2051, 0, config) == round_index_code<binary16>(2052, 0, config);
}
static_assert(ties_of_normalised_codes_go_to_even());

/// Wavelengths of the sine-only code: 2 pi at channel 0, rising, and 2 pi base^((width - 1) / width) at the
/// last, which is below 2 pi base.
consteval bool sine_only_wavelengths_stay_below_the_base() {
  constexpr index_code config{.kind = index_code_kind::sine_only, .width = 16};
  auto before = sine_only_inv_freq<2>(0, config);
  if (compare(before, enclosure<2>::of(1)) != order::equal) return false;
  for (int column = 1; column < config.width; ++column) {
    const auto inv_freq = sine_only_inv_freq<2>(column, config);
    if (compare(inv_freq, before) != order::less) return false;
    before = inv_freq;
  }
  return compare(before * enclosure<2>::of(10000), enclosure<2>::of(1)) == order::greater;
}
static_assert(sine_only_wavelengths_stay_below_the_base());

/// At position 0 the sine-only code is the zero vector, which every linear map keeps, and at position 1 it is
/// not zero: no linear map shifts the code, whatever its width.
consteval bool no_linear_map_shifts_sines_alone() {
  constexpr index_code config{.kind = index_code_kind::sine_only, .width = 6};
  for (int column = 0; column < config.width; ++column) {
    const auto at_zero = sine_only_entry<2>(0, column, config);
    if (!is_exact(at_zero) || !is_zero(at_zero.midpoint)) return false;
  }
  return compare(sine_only_entry<2>(1, 0, config), enclosure<2>::of(0)) == order::greater;
}
static_assert(no_linear_map_shifts_sines_alone());

}  // namespace index_code_proof
