#pragma once
// ALiBi's bias as Falcon's code in transformers adds it, as a whole and in part: slope x key, slopes and
// products in bfloat16, and the bias divided by sqrt(head_dim) together with the scores.

#include <cstdint>
#include <string>

#include "fault/addition_steps.hpp"

namespace ropewalk::fault {

/// The parts of a bias that are rounded to bfloat16.
enum class bias_rounding { none, slope, slope_and_product };

/// Head dimensions of published models, whose square roots divide scores.
inline constexpr int dividing_head_dims[] = {16, 32, 48, 64, 80, 96, 112, 120, 128, 160, 192, 256};

/// x / sqrt(head_dim), exact if the root is a power of two.
template <int N>
enclosure<N> over_root(const enclosure<N>& x, int head_dim) {
  for (int power = 0; power <= 8; ++power)
    if (1 << (2 * power) == head_dim) return times_power_of_two(x, -power);
  return x / square_root(enclosure<N>::of(head_dim));
}

/// A number rounded to bfloat16, exactly.
template <int N>
enclosure<N> in_bfloat16(const enclosure<N>& x) {
  return enclosure<N>::of(from_bits<double>(convert<double, bfloat16>(round<bfloat16>(x).bits)));
}

/// slope x reach with these roundings and this division.
template <int N>
enclosure<N> scaled_bias(const enclosure<N>& slope, std::int64_t reach, bias_rounding rounding,
                         int head_dim) {
  const enclosure<N> steps = enclosure<N>::of(reach);
  if (reach == 0) return steps;
  enclosure<N> bounds = (rounding == bias_rounding::none ? slope : in_bfloat16(slope)) * steps;
  if (rounding == bias_rounding::slope_and_product)
    bounds = in_bfloat16(in_bfloat16(slope) * in_bfloat16(steps));
  return head_dim == 0 ? bounds : over_root(bounds, head_dim);
}

/// Steps that add such a bias.
struct scaled_bias_steps : addition_steps {
  bool by_key = false;  // slope x key in place of another form; no change if the form is by key
  bias_rounding rounding = bias_rounding::none;
  int head_dim = 0;            // 0: not divided
  bool in_every_form = false;  // also if slope x key is requested

  void form(bias_plan& plan) {
    if (!by_key) return;
    if (plan.origin == ROPEWALK_FROM_FIRST_KEY && !in_every_form) {
      rounding = bias_rounding::none;
      head_dim = 0;
    }
    plan.is_symmetric = false;
    plan.origin = ROPEWALK_FROM_FIRST_KEY;
  }

  template <floating_format Wide>
  bits_of<Wide> bias(const bias_plan& plan, int head, std::int64_t reach) const {
    const auto exact = scaled_bias(plan.slopes[static_cast<std::size_t>(head)], reach, rounding, head_dim);
    const ropewalk::rounding<Wide> result = round<Wide>(exact);
    if (!result.decided) throw refused_call("slopes", "a scaled bias is not decided", ROPEWALK_UNDECIDED);
    return result.bits;
  }
};

/// Name and sentence of such a fault.
std::string name_of_scaled(const scaled_bias_steps& steps);
std::string sentence_of_scaled(const scaled_bias_steps& steps);

}  // namespace ropewalk::fault
