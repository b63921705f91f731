#pragma once
// Rotary position embedding: its frequencies, its attention factor and its rotation, as exact values. Su et
// al. 2021 (arXiv:2104.09864). Nothing is rounded here: values are enclosures of N limbs. A rounding that N
// limbs leave undecided needs more limbs.

#include <cstdint>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope_scaling.hpp"
#include "ropewalk/encoding/rope_shared.hpp"
#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

namespace detail {

constexpr void validate_pair(int pair, const rope& config) {
  validate(config);
  require(pair >= 0 && pair < pair_count(config), "pair", pair, "a number from 0 to rotary_dim / 2 - 1");
}

}  // namespace detail

/// Inverse frequency of one channel pair: base^(-2 pair / rotary_dim), then the scaling rule.
///
/// shape   scalar; tables give all rotary_dim / 2 of them
/// units   radians per position
/// domain  0 <= pair < rotary_dim / 2, rotary_dim even, base > 1
/// error   carried by the enclosure; unbounded where N limbs do not decide the rule's thresholds
/// throws  std::invalid_argument naming the field and its value
/// source  Su et al. 2021, sec. 3.2.2 (theta_i); `inv_freq` in Hugging Face transformers and vLLM
template <int N>
constexpr enclosure<N> rope_inv_freq(int pair, const rope& config, const rope_shared<N>& shared) {
  detail::validate_pair(pair, config);
  return scaled_inv_freq(detail::base_power<N>(pair, config, shared), pair, config, shared);
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> rope_inv_freq(int pair, const rope& config) {
  return rope_inv_freq<N>(pair, config, share<N>(config));
}

/// Inverse frequency of one channel pair in turns: rope_inv_freq / (2 pi).
///
/// units   turns per position
template <int N>
constexpr enclosure<N> rope_turns(int pair, const rope& config, const rope_shared<N>& shared) {
  return rope_inv_freq<N>(pair, config, shared) * inverse_two_pi<N>();
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> rope_turns(int pair, const rope& config) {
  return rope_turns<N>(pair, config, share<N>(config));
}

/// Attention factor, which multiplies cosine and sine: 1 except for YaRN and LongRoPE.
template <int N>
constexpr enclosure<N> rope_attention_factor(const rope& config) {
  validate(config);
  return attention_factor_of<N>(config.scaling, config.seq_len);
}

/// Linear map of a pair: the embedding or its adjoint, each with or without the attention factor.
enum class rotation_kind { forward, backward, unit, unit_backward };

/// Whether the map is the adjoint, whose sines are negated.
constexpr bool is_backward(rotation_kind kind) {
  return kind == rotation_kind::backward || kind == rotation_kind::unit_backward;
}
/// Whether the map leaves out the attention factor.
constexpr bool is_unit(rotation_kind kind) {
  return kind == rotation_kind::unit || kind == rotation_kind::unit_backward;
}

/// The 2 x 2 block of one pair: [cos, -sin; sin, cos], attention factor included.
template <int N>
struct pair_rotation {
  enclosure<N> cos;
  enclosure<N> sin;
};

/// The block of a pair, from its cosine and sine.
template <int N>
constexpr pair_rotation<N> block_of(const cos_sin<N>& unit, const enclosure<N>& factor, rotation_kind kind) {
  const enclosure<N> sine = factor * unit.sin;
  return {factor * unit.cos, is_backward(kind) ? -sine : sine};
}

/// R_m, the rotation of a head at one position m, by its pairs.
///
/// shape   rotary_dim x rotary_dim, one 2 x 2 block per pair; at(row, column, layout) is one element
/// domain  any finite binary64 position
template <int N>
class rotation_matrix {
 public:
  /// throws  std::invalid_argument naming the field and its value
  constexpr rotation_matrix(const rope& config, double position, rotation_kind kind = rotation_kind::forward)
      : config_(config), position_(enclosure<N>::of(position)), kind_(kind) {
    validate(config);
    require(position >= -largest_number && position <= largest_number, "position", position,
            "a finite number");
  }

  /// The block of one pair. domain  0 <= pair < rotary_dim / 2
  constexpr pair_rotation<N> block(int pair) const {
    const cos_sin<N> unit = cos_sin_of_turns(position_ * rope_turns<N>(pair, config_));
    return block_of(unit, is_unit(kind_) ? enclosure<N>::of(1) : rope_attention_factor<N>(config_), kind_);
  }

  /// One element. domain  0 <= row, column < rotary_dim
  constexpr enclosure<N> at(int row, int column, pairing layout) const {
    const int half = pair_count(config_);
    const auto pair_of = [&](int channel) {
      return layout == pairing::interleaved ? channel / 2 : channel % half;
    };
    if (pair_of(row) != pair_of(column)) return enclosure<N>::of(0);
    const pair_rotation<N> result = block(pair_of(row));
    if (row == column) return result.cos;
    return row < column ? -result.sin : result.sin;
  }

 private:
  rope config_;
  enclosure<N> position_;
  rotation_kind kind_;
};

}  // namespace ropewalk
