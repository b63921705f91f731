#pragma once
// The softmax scale of multi-head latent attention in numbers of any precision.

#include "ropewalk/config/rope_scaling.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

/// Softmax scale: channels^(-1/2), times (0.1 mscale_all_dim ln factor + 1)^2 under YaRN if factor > 1.
///
/// shape   scalar
/// units   none
/// domain  channels >= 1: all channels of a query head, rotated or not
/// error   below one ulp of Number
/// throws  std::invalid_argument naming the field and its value
/// source  DeepSeek-AI 2024 (arXiv:2405.04434); `softmax_scale` in deepseek-ai/DeepSeek-V3 inference/model.py
template <real_number Number>
Number latent_softmax_scale(int channels, const rope_scaling& scaling) {
  validate(scaling);
  require(channels >= 1, "channels", channels, "a number above 0");
  const yarn rule = scaling.is<yarn>() ? scaling.as<yarn>() : yarn{.factor = 1};
  const double mscale = rule.mscale_all_dim.value_or(0);
  const quotient factor = scale_of(rule);
  return detail::with_guard_bits<Number>(detail::rule_guard_bits, [&]<class Wide>() {
    const Wide g = detail::yarn_mscale<Wide>(factor, mscale);
    const Wide width = sqrt(Wide(channels));
    return Wide(g * g / width);
  });
}

}  // namespace ropewalk::reference
