#pragma once
// The divisor that a scaling rule applies to a frequency, in numbers of any precision, and exactly if it is
// rational.

#include <optional>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/rope.hpp"
#include "ropewalk/reference/rope_exact.hpp"

namespace ropewalk::reference {

/// Divisor of one pair: its unscaled frequency divided by its scaled one.
///
/// shape   scalar
/// units   none
/// domain  0 <= pair < rotary_dim / 2, the scaled frequency not 0
/// error   below one ulp of Number
/// throws  std::invalid_argument naming the field and its value; std::runtime_error as rope_inv_freq
/// source  `rope_freqs.weight` of GGUF files and `freq_factors` of ggml_rope_ext in llama.cpp
template <real_number Number>
Number rope_frequency_divisor(int pair, const rope& config) {
  require(!stands_still(pair, config), "pair", pair, "a pair whose scaled frequency is not 0");
  return detail::with_guard_bits<Number>(detail::guard_bits(config), [&]<class Wide>() {
    const Wide unscaled = detail::unscaled_inv_freq<Wide>(pair, config);
    const Wide scale = detail::inv_freq_scale<Wide>(pair, config, unscaled);
    return Wide(1 / scale);
  });
}

/// The divisor if it is found to be rational, otherwise nullopt.
///
/// domain, throws  as rope_frequency_divisor
inline std::optional<rational> rope_exact_frequency_divisor(int pair, const rope& config) {
  require(!stands_still(pair, config), "pair", pair, "a pair whose scaled frequency is not 0");
  const std::optional<rational> scale = detail::exact_scale(pair, config);
  if (!scale) return std::nullopt;
  return 1 / *scale;
}

}  // namespace ropewalk::reference
