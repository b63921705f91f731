// Every inverse frequency of the tables is correctly rounded, proved in integer arithmetic.
// For y = m 2^-k and n = rotary_dim / 2: y = RN(base^(-i/n)) if and only if
//     (2m - 1)^n base^i  <  2^((k + 1) n)  <  (2m + 1)^n base^i.
// Where m is a power of two the spacing below y is half as wide, and the left side is
//     (4m - 1)^n base^i  <  2^((k + 2) n).
// Beyond pair 0, which is 1, the proof uses no logarithm, no enclosure, no error analysis and no code that
// computes the tables.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ropewalk/table/inv_freq_table.hpp"

namespace inv_freq_proof {

__extension__ typedef unsigned __int128 two_words;

/// Unsigned integer of variable length.
struct whole {
  std::uint64_t word[112] = {};
  int length = 0;
};

constexpr whole product(const whole& a, const whole& b) {
  whole product;
  for (int i = 0; i < a.length; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; j < b.length; ++j) {
      const two_words t = static_cast<two_words>(a.word[i]) * b.word[j] + product.word[i + j] + carry;
      product.word[i + j] = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> 64);
    }
    product.word[i + b.length] = carry;
  }
  product.length = a.length + b.length;
  while (product.length > 0 && product.word[product.length - 1] == 0) --product.length;
  return product;
}

constexpr whole power(std::uint64_t x, int exponent) {
  whole square, power;
  square.word[0] = x;
  square.length = power.length = 1;
  power.word[0] = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) power = product(power, square);
    if (exponent > 1) square = product(square, square);
  }
  return power;
}

constexpr int bits(const whole& a) { return 64 * a.length - std::countl_zero(a.word[a.length - 1]); }

constexpr bool is_power_of_two(const whole& a) {
  for (int i = 0; i + 1 < a.length; ++i)
    if (a.word[i] != 0) return false;
  return std::has_single_bit(a.word[a.length - 1]);
}

constexpr bool below_power_of_two(const whole& a, int exponent) { return bits(a) <= exponent; }
constexpr bool above_power_of_two(const whole& a, int exponent) {
  return bits(a) > exponent && !(bits(a) == exponent + 1 && is_power_of_two(a));
}

template <ropewalk::floating_format Float>
constexpr bool is_nearest_to_root(Float y, std::uint64_t base, int i, int n) {
  const ropewalk::decoded parts = ropewalk::decode<Float>(ropewalk::to_bits(y));
  const std::uint64_t bits = parts.significand;
  const int k = -parts.exponent;
  const whole base_power = power(base, i);
  const bool lower_cell_is_half = std::has_single_bit(bits) && bits != 1;
  const whole below = product(power(lower_cell_is_half ? 4 * bits - 1 : 2 * bits - 1, n), base_power);
  return below_power_of_two(below, (k + (lower_cell_is_half ? 2 : 1)) * n) &&
         above_power_of_two(product(power(2 * bits + 1, n), base_power), (k + 1) * n);
}

constexpr ropewalk::rope llama_2{.base = 10000, .rotary_dim = 128};
constexpr ropewalk::rope llama_3{.base = 500000, .rotary_dim = 128};
constexpr ropewalk::rope gpt_neox{.base = 10000, .rotary_dim = 24};

// One variable per pair: compilers count the steps of constant evaluation per variable.
template <class Float, ropewalk::rope Config, int Pair>
constexpr bool inv_freq_is_nearest = is_nearest_to_root(ropewalk::inv_freq_table<Float, Config>[Pair],
                                                        static_cast<std::uint64_t>(Config.base), Pair,
                                                        ropewalk::pair_count(Config));

template <class Float, ropewalk::rope Config, std::size_t... Pair>
consteval bool all_are_nearest(std::index_sequence<Pair...>) {
  return (inv_freq_is_nearest<Float, Config, static_cast<int>(Pair) + 1> && ...);
}

template <class Float, ropewalk::rope Config>
consteval bool every_inv_freq_is_correctly_rounded() {
  return ropewalk::to_bits(ropewalk::inv_freq_table<Float, Config>[0]) ==
             ropewalk::round<Float>(ropewalk::enclosure<1>::of(1)).bits &&
         all_are_nearest<Float, Config>(std::make_index_sequence<ropewalk::pair_count(Config) - 1>{});
}

static_assert(every_inv_freq_is_correctly_rounded<double, llama_2>());
static_assert(every_inv_freq_is_correctly_rounded<float, llama_2>());
static_assert(every_inv_freq_is_correctly_rounded<ropewalk::binary16, llama_2>());
static_assert(every_inv_freq_is_correctly_rounded<ropewalk::bfloat16, llama_2>());
static_assert(every_inv_freq_is_correctly_rounded<float, llama_3>());
static_assert(every_inv_freq_is_correctly_rounded<double, gpt_neox>());

/// The certificate refuses both neighbours of the correctly rounded entry.
consteval bool certificate_refuses_neighbours() {
  const double entry = ropewalk::inv_freq_table<double, gpt_neox>[5];
  const std::uint64_t bits = ropewalk::to_bits(entry);
  return is_nearest_to_root(entry, 10000, 5, 12) &&
         !is_nearest_to_root(ropewalk::from_bits<double>(bits + 1), 10000, 5, 12) &&
         !is_nearest_to_root(ropewalk::from_bits<double>(bits - 1), 10000, 5, 12);
}
static_assert(certificate_refuses_neighbours());

}  // namespace inv_freq_proof
