// ALiBi: the slopes, their correct rounding in tables, and the forms of the bias that give a causal softmax
// the same weights. All in integer arithmetic.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ropewalk/table/alibi_table.hpp"

namespace alibi_proof {

using namespace ropewalk;

constexpr bool has_exponent(int head, int heads, int numerator, int denominator) {
  return alibi_slope_exponent(head, {.heads = heads}) == slope_exponent{numerator, denominator};
}

/// 8 heads: 1/2, 1/4, ..., 1/256. 12 heads: the same, then 2^-1/2, 2^-3/2, 2^-5/2 and 2^-7/2.
consteval bool slopes_of_eight_and_twelve_heads_are_the_published_ones() {
  for (int head = 0; head < 8; ++head)
    if (!has_exponent(head, 8, head + 1, 1) || !has_exponent(head, 12, head + 1, 1)) return false;
  for (int head = 8; head < 12; ++head)
    if (!has_exponent(head, 12, 2 * (head - 8) + 1, 2)) return false;
  return true;
}
static_assert(slopes_of_eight_and_twelve_heads_are_the_published_ones());

constexpr int most_heads = 256;  // the theorems below cover every number of heads up to this

/// Whether head h = 1 .. H has the slope 2^(-8 h / H).
constexpr bool follows_the_formula(int heads) {
  for (int head = 0; head < heads; ++head) {
    const slope_exponent e = alibi_slope_exponent(head, {.heads = heads});
    if (e.numerator * heads != 8 * (head + 1) * e.denominator) return false;
  }
  return true;
}

consteval bool formula_holds_for_powers_of_two_alone() {
  for (int heads = 1; heads <= most_heads; ++heads)
    if (follows_the_formula(heads) != std::has_single_bit(static_cast<unsigned>(heads))) return false;
  return true;
}
static_assert(formula_holds_for_powers_of_two_alone());

/// With P the largest power of two, the exponent of head P + k is the mean of the exponents of heads k - 1
/// and k, where head -1 counts as exponent 0. So no two heads share a slope.
consteval bool further_heads_lie_in_the_middle_between_two() {
  for (int heads = 2; heads <= most_heads; ++heads) {
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    const auto in_units = [&](int head) {  // the exponent in units of 1 / (2 P)
      const slope_exponent e = alibi_slope_exponent(head, {.heads = heads});
      return e.numerator * (2 * power / e.denominator);
    };
    for (int head = power; head < heads; ++head) {
      const int k = head - power, before = k == 0 ? 0 : in_units(k - 1);
      if (2 * in_units(head) != before + in_units(k)) return false;
    }
  }
  return true;
}
static_assert(further_heads_lie_in_the_middle_between_two());

// y = m 2^-k is the number nearest to 2^(-n/d), d a power of two, if and only if
//     (2m - 1)^d 2^n  <  2^((k + 1) d)  <  (2m + 1)^d 2^n.
// Where m is a power of two the spacing below y is half as wide, and the left side is
//     (4m - 1)^d 2^n  <  2^((k + 2) d).
using whole = limbs<16>;  // the 16th power of a 55-bit number has up to 880 bits

constexpr whole power_by_squaring(std::uint64_t x, int exponent) {
  whole power = limbs_of<16>(x);
  for (; exponent > 1; exponent /= 2) power = resize<16>(multiply(power, power));
  return power;
}

template <floating_format Float>
constexpr bool is_nearest_to_slope(Float y, slope_exponent e) {
  const decoded parts = decode<Float>(to_bits(y));
  const std::uint64_t bits = parts.significand;
  const int k = -parts.exponent, n = e.numerator, d = e.denominator;
  const bool lower_cell_is_half = std::has_single_bit(bits);
  const whole below = power_by_squaring(lower_cell_is_half ? 4 * bits - 1 : 2 * bits - 1, d);
  const whole above = power_by_squaring(2 * bits + 1, d);  // odd: never a power of two
  return bit_length(below) + n <= (k + (lower_cell_is_half ? 2 : 1)) * d &&
         bit_length(above) + n > (k + 1) * d;
}

// One variable per head: compilers count the steps of constant evaluation per variable.
template <class Float, alibi Config, int Head>
constexpr bool slope_is_nearest = is_nearest_to_slope(alibi_slope_table<Float, Config>[Head],
                                                      alibi_slope_exponent(Head, Config));

template <class Float, alibi Config, int... Heads>
consteval bool slopes_are_nearest(std::integer_sequence<int, Heads...>) {
  return (slope_is_nearest<Float, Config, Heads> && ...);
}

template <class Float, alibi Config>
consteval bool every_slope_is_correctly_rounded() {
  return slopes_are_nearest<Float, Config>(std::make_integer_sequence<int, Config.heads>{});
}

static_assert(every_slope_is_correctly_rounded<double, alibi{.heads = 12}>());
static_assert(every_slope_is_correctly_rounded<float, alibi{.heads = 12}>());
static_assert(every_slope_is_correctly_rounded<binary16, alibi{.heads = 40}>());
static_assert(every_slope_is_correctly_rounded<bfloat16, alibi{.heads = 40}>());
static_assert(every_slope_is_correctly_rounded<double, alibi{.heads = 112}>());

/// The certificate refuses both neighbours of the nearest number, for roots and for a power of two.
consteval bool certificate_refuses_neighbours() {
  for (const slope_exponent e : {slope_exponent{1, 2}, slope_exponent{1, 1}, slope_exponent{7, 16}}) {
    const enclosure<3> exponent = enclosure<3>::of(e.numerator) / enclosure<3>::of(e.denominator);
    const std::uint64_t bits = round<double>(exp(-(ln_2<3>() * exponent))).bits;
    if (!is_nearest_to_slope(from_bits<double>(bits), e)) return false;
    if (is_nearest_to_slope(from_bits<double>(bits + 1), e)) return false;
    if (is_nearest_to_slope(from_bits<double>(bits - 1), e)) return false;
  }
  return true;
}
static_assert(certificate_refuses_neighbours());

constexpr int most_positions = 48;

/// BLOOM's and MPT's biases minus the paper's are slope x query and slope x (query - last key): constant over
/// the keys that a causal mask leaves to a query, so a softmax gives the same weights.
consteval bool forms_differ_by_a_constant_along_every_causal_row() {
  for (int keys = 1; keys <= most_positions; ++keys)
    for (int query = 0; query < keys; ++query)
      for (int key = 0; key <= query; ++key) {
        const std::int64_t paper = alibi_steps(query - key, alibi_form::causal);
        if (paper != alibi_steps(query - key, alibi_form::symmetric)) return false;
        if (alibi_steps(query, key, keys, alibi_form::key) - paper != query) return false;
        if (alibi_steps(query, key, keys, alibi_form::last_key) - paper != query - (keys - 1)) return false;
      }
  return true;
}
static_assert(forms_differ_by_a_constant_along_every_causal_row());

/// Without a mask, in every row with a key ahead of its query, BLOOM's form minus the symmetric one is not
/// constant.
consteval bool forms_differ_by_no_constant_without_a_mask() {
  for (int keys = 2; keys <= most_positions; ++keys)
    for (int query = 0; query + 1 < keys; ++query) {
      const auto apart = [&](int key) {
        return alibi_steps(query, key, keys, alibi_form::key) -
               alibi_steps(query - key, alibi_form::symmetric);
      };
      if (apart(query + 1) == apart(query)) return false;
    }
  return true;
}
static_assert(forms_differ_by_no_constant_without_a_mask());

consteval bool bias_is_toeplitz_and_falls_with_distance() {
  for (const alibi_form form : {alibi_form::causal, alibi_form::symmetric}) {
    const int length = 7, heads = 3;
    const std::vector<float> bias = alibi_bias(length, heads, form);
    const auto at = [&](int head, int query, int key) {
      return bias[static_cast<std::size_t>((head * length + query) * length + key)];
    };
    for (int head = 0; head < heads; ++head)
      for (int query = 0; query < length; ++query) {
        if (to_bits(at(head, query, query)) != 0) return false;
        for (int key = 0; key < length; ++key) {
          if (query > 0 && key > 0 && at(head, query, key) != at(head, query - 1, key - 1)) return false;
          if (form == alibi_form::symmetric && at(head, query, key) != at(head, key, query)) return false;
          if (key > 0 && key <= query && !(at(head, query, key - 1) < at(head, query, key))) return false;
        }
      }
  }
  return true;
}
static_assert(bias_is_toeplitz_and_falls_with_distance());

/// 2^-1 x 2049 = 1024.5 and 2^-1 x 2051 = 1025.5 are rounding midpoints of binary16.
consteval bool ties_go_to_even() {
  const alibi_biases biases(alibi{.heads = 8});
  return biases.entry<binary16>(0, 2049) == to_bits(binary16{0xe400}) &&  // -1024
         biases.entry<binary16>(0, 2051) == to_bits(binary16{0xe402});    // -1026
}
static_assert(ties_go_to_even());

}  // namespace alibi_proof
