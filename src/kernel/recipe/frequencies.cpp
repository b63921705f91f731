#include "kernel/recipe/frequencies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/frequency_divisors.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk::recipe {
namespace {

/// base^exponent correctly rounded to binary32.
///
/// domain  base >= 1, infinity included; |exponent| < 2
float power_of(float base, float exponent) {
  if (exponent == 0) return 1;
  if (std::isinf(base)) return exponent > 0 ? base : 0;
  const decoded parts = decode<float>(to_bits(exponent));
  const int twos = std::countr_zero(parts.significand);
  const auto numerator = static_cast<std::uint32_t>(parts.significand >> twos);
  const int down = -(parts.exponent + twos);  // |exponent| = numerator / 2^down
  // A representable result must be recognised as exact, else no number of limbs decides its rounding. With
  // down > 16 no result is representable: no binary32 base other than 1 is a 2^17-th power of a rational
  // number.
  const bool may_be_exact = down <= 16;
  return from_bits<float>(round_with_enough_limbs<float>("a power of base", [&]<int N>() {
    const auto x = enclosure<N>::of(double{base});
    const enclosure<N> bounds = may_be_exact ? power(x, numerator, std::uint32_t{1} << std::max(down, 0))
                                             : exp(log(x) * enclosure<N>::of(double{std::abs(exponent)}));
    return parts.negative ? enclosure<N>::of(1) / bounds : bounds;
  }));
}

std::vector<float> floats_of(const std::vector<std::uint32_t>& bits) {
  std::vector<float> floats;
  for (const std::uint32_t bit : bits) floats.push_back(from_bits<float>(bit));
  return floats;
}

/// Follows _compute_llama3_parameters of transformers: Python numbers are binary64 until combined with a
/// tensor, and PyTorch computes number / tensor as number * (1 / tensor).
float blended(float inv_freq, const llama3& rule) {
  constexpr double two_pi = 0x1.921fb54442d18p2;  // 2 * math.pi
  const double length = rule.original_max_position_embeddings;
  const float wavelength = 1 / inv_freq * static_cast<float>(two_pi);
  const auto factor = static_cast<float>(rule.factor);
  const auto longest = static_cast<float>(length / rule.low_freq_factor);
  const auto shortest = static_cast<float>(length / rule.high_freq_factor);
  if (wavelength > longest) return inv_freq / factor;
  if (wavelength < shortest) return inv_freq;
  const float kept =
      (1 / wavelength * static_cast<float>(length) - static_cast<float>(rule.low_freq_factor)) /
      static_cast<float>(rule.high_freq_factor - rule.low_freq_factor);
  return (1 - kept) * inv_freq / factor + kept * inv_freq;
}

}  // namespace

frequencies from_resolved(std::span<const double> inv_freq, double attention_factor) {
  frequencies result;
  result.attention_factor = attention_factor;
  result.inv_freq.assign(inv_freq.begin(), inv_freq.end());
  const bool has_step = inv_freq.size() > 1 && inv_freq[0] > 0 && inv_freq[1] > 0;
  const double step = has_step ? inv_freq[1] / inv_freq[0] : 1;
  result.theta_scale = static_cast<float>(step);
  double unscaled = 1;
  for (const double value : inv_freq) {
    result.single_inv_freq.push_back(static_cast<float>(value));
    result.divisor.push_back(value > 0 ? static_cast<float>(unscaled / value)
                                       : std::numeric_limits<float>::infinity());
    unscaled *= step;
  }
  return result;
}

frequencies from_config(const rope& config) {
  frequencies result;
  for (const std::uint64_t bits : inv_freqs<double>(config))
    result.inv_freq.push_back(from_bits<double>(bits));
  result.single_inv_freq = floats_of(inv_freqs<float>(config));
  result.divisor = floats_of(frequency_divisors<float>(config));
  result.theta_scale =
      power_of(static_cast<float>(config.base), -2.0f / static_cast<float>(config.rotary_dim));
  result.attention_factor = from_bits<double>(round_with_enough_limbs<double>(
      "attention_factor", [&]<int N>() { return rope_attention_factor<N>(config); }));
  return result;
}

std::optional<std::vector<float>> hugging_face_inv_freqs(const rope& config) {
  const rope_scaling& rule = config.scaling;
  if (!rule.is<unscaled>() && !rule.is<linear>() && !rule.is<llama3>()) return std::nullopt;
  std::vector<float> numbers;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const float exponent = static_cast<float>(2 * pair) / static_cast<float>(config.rotary_dim);
    const float inv_freq = 1 / power_of(static_cast<float>(config.base), exponent);
    if (rule.is<linear>())
      numbers.push_back(inv_freq / static_cast<float>(rule.as<linear>().factor));
    else
      numbers.push_back(rule.is<llama3>() ? blended(inv_freq, rule.as<llama3>()) : inv_freq);
  }
  return numbers;
}

}  // namespace ropewalk::recipe
