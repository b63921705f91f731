// The distance by which one rounding moves an entry of the sinusoidal table, the basis of the laws' bound;
// and rows that depend on the position alone.

#include "ropewalk/table/sinusoidal_table.hpp"

namespace sinusoidal_table_proof {

using namespace ropewalk;

/// The numbers of a format in [-1, 1] lie at most 2^-precision apart, so rounding moves an entry by at most
/// half of that.
template <floating_format Float>
consteval bool numbers_up_to_one_lie_at_most_a_unit_apart() {
  constexpr int precision = format<Float>::precision;
  const auto item = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);
  const decoded below = decode<Float>(static_cast<bits_of<Float>>(item - 1));
  // Spacing grows with the exponent field, which is largest just below 1.
  return below.exponent == -precision && below.significand == (std::uint64_t{1} << precision) - 1;
}
static_assert(numbers_up_to_one_lie_at_most_a_unit_apart<double>());
static_assert(numbers_up_to_one_lie_at_most_a_unit_apart<float>());
static_assert(numbers_up_to_one_lie_at_most_a_unit_apart<binary16>());
static_assert(numbers_up_to_one_lie_at_most_a_unit_apart<bfloat16>());

constexpr sinusoidal paper{.d_model = 8};
constexpr sinusoidal swapped{.d_model = 8, .layout = sinusoidal_layout::cos_sin};

/// Rounded values stay in [-1, 1], because every format represents 1.
template <floating_format Float>
consteval bool rounded_values_stay_in_range() {
  const auto item = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);
  for (const auto& row : sinusoidal_table<Float, paper, position_range{-16, 48}>)
    for (const Float entry : row)
      if (magnitude<Float>(to_bits(entry)) > item) return false;
  return true;
}
static_assert(rounded_values_stay_in_range<double>());
static_assert(rounded_values_stay_in_range<bfloat16>());

/// A row's bits depend on the position alone: tables of any length and start hold the same row.
consteval bool rows_do_not_depend_on_the_length() {
  constexpr auto& all = sinusoidal_table<float, paper, position_range{0, 40}>;
  constexpr auto& some = sinusoidal_table<float, paper, position_range{30, 33}>;
  for (std::size_t i = 0; i < some.size(); ++i)
    for (std::size_t channel = 0; channel < 8; ++channel)
      if (to_bits(some[i][channel]) != to_bits(all[i + 30][channel])) return false;
  return true;
}
static_assert(rows_do_not_depend_on_the_length());

consteval bool layouts_hold_the_same_numbers() {
  constexpr auto& a = sinusoidal_table<float, paper, position_range{0, 40}>;
  constexpr auto& b = sinusoidal_table<float, swapped, position_range{0, 40}>;
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t pair = 0; pair < 4; ++pair)
      if (a[i][2 * pair] != b[i][4 + pair] || a[i][2 * pair + 1] != b[i][pair]) return false;
  return true;
}
static_assert(layouts_hold_the_same_numbers());

}  // namespace sinusoidal_table_proof
