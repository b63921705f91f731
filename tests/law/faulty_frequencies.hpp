#pragma once
// Tables of inverse frequencies with one fault each, as engines had them; otherwise computed with 100 digits.

#include <cstdint>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::example {

using wide = boost::multiprecision::cpp_bin_float_100;

/// number(pair, config) for every pair, rounded once to binary64.
template <class Frequency>
auto tables_of(Frequency frequency) {
  return [frequency](const rope& config) {
    std::vector<std::uint64_t> table;
    for (int pair = 0; pair < pair_count(config); ++pair)
      table.push_back(to_bits(wide(frequency(pair, config)).template convert_to<double>()));
    return table;
  };
}

inline wide unscaled(int pair, const rope& config) {
  return pow(wide(config.base), -wide(2 * pair) / config.rotary_dim);
}

inline wide two_pi() { return 2 * acos(wide(-1)); }

enum class yarn_fault { none, ramp_reversed, clamp_at_half, not_truncated };

/// An independent implementation of the paper's text. domain  config.scaling is yarn with a factor
inline wide yarn_frequency(int pair, const rope& config, yarn_fault fault) {
  const yarn& rule = config.scaling.as<yarn>();
  const auto bound = [&](double rotations) {
    return wide(config.rotary_dim *
                log(wide(rule.original_max_position_embeddings / (two_pi() * rotations))) /
                (2 * log(wide(config.base))));
  };
  wide low = bound(rule.beta_fast), high = bound(rule.beta_slow);
  if (rule.truncate && fault != yarn_fault::not_truncated) low = floor(low), high = ceil(high);
  const int last = fault == yarn_fault::clamp_at_half ? config.rotary_dim / 2 - 1 : config.rotary_dim - 1;
  low = low < 0 ? wide(0) : low;
  high = high > last ? wide(last) : high;
  if (low == high) high += wide(1) / 1000;
  wide share = (pair - low) / (high - low);
  share = share < 0 ? wide(0) : share > 1 ? wide(1) : share;
  if (fault == yarn_fault::ramp_reversed) share = 1 - share;
  const wide f = unscaled(pair, config);
  return f / rule.factor.value * share + f * (1 - share);
}

/// low_freq_factor and high_freq_factor are exchanged. domain  config.scaling is llama3
inline wide llama3_with_factors_exchanged(int pair, const rope& config) {
  const llama3& rule = config.scaling.as<llama3>();
  const wide f = unscaled(pair, config), wavelength = two_pi() / f;
  const wide low_wavelength = rule.original_max_position_embeddings / wide(rule.high_freq_factor);
  const wide high_wavelength = rule.original_max_position_embeddings / wide(rule.low_freq_factor);
  if (wavelength > low_wavelength) return f / rule.factor;
  if (wavelength < high_wavelength) return f;
  const wide smooth = (rule.original_max_position_embeddings / wavelength - rule.high_freq_factor) /
                      (rule.low_freq_factor - rule.high_freq_factor);
  return (1 - smooth) * f / rule.factor + smooth * f;
}

/// The long list already at the original length. domain  config.scaling is longrope
inline wide longrope_switched_at_original(int pair, const rope& config) {
  const longrope& rule = config.scaling.as<longrope>();
  const bool is_long = static_cast<double>(config.seq_len) >= rule.original_max_position_embeddings;
  return unscaled(pair, config) / (is_long ? rule.long_factor[pair] : rule.short_factor[pair]);
}

/// NTK by a given growth, whatever the length.
inline wide ntk_frequency(int pair, const rope& config, const wide& growth) {
  const wide base = config.base * pow(growth, wide(config.rotary_dim) / (config.rotary_dim - 2));
  return pow(base, -wide(2 * pair) / config.rotary_dim);
}

}  // namespace ropewalk::example
