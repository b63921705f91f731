#pragma once
// Multi-head latent attention (DeepSeek): only a part of each query and key rotates, and YaRN changes the
// softmax scale.

#include "ropewalk/config/rope_scaling.hpp"
#include "ropewalk/encoding/yarn.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Softmax scale of multi-head latent attention: channels^(-1/2), under YaRN times g(factor,
/// mscale_all_dim)^2.
///
/// domain  channels >= 1, the channels of a query head, rotated and not
/// throws  std::invalid_argument naming the field and its value
/// source  DeepSeek-AI 2024 (arXiv:2405.04434); `softmax_scale` in deepseek-ai/DeepSeek-V3 inference/model.py
template <int N>
constexpr enclosure<N> latent_softmax_scale(int channels, const rope_scaling& scaling) {
  using real = enclosure<N>;
  validate(scaling);
  require(channels >= 1, "channels", channels, "a number above 0");
  const real unscaled = real::of(1) / square_root(real::of(channels));
  if (!scaling.is<yarn>()) return unscaled;
  const real g =
      detail::yarn_mscale<N>(scale_of(scaling.as<yarn>()), scaling.as<yarn>().mscale_all_dim.value_or(0));
  return unscaled * g * g;
}

}  // namespace ropewalk
