#include "fault/faults.hpp"

namespace ropewalk::fault {

std::span<const ropewalk_kernel> fault_kernels() {
  static const ropewalk_kernel kernels[] = {
      angle_f32(),
      half_split(),
      backward_is_forward(),
      inverse_attention(),
      tail(),
      position_off_by_one(),
      attention_dropped(),
      attention_in_unit(),
      batch_row(),
      pass_through_zeroed(),
      nan_spreads(),
      small_flushed(),
      head_group(),
      environment_left(),
      flush_to_zero(),
      yarn_ramp_reversed(),
      yarn_clamp_at_half(),
      yarn_untruncated(),
      attention_cos_only(),
      attention_twice(),
      llama3_in_prefill_only(),
      longrope_switch_at_original(),
      longrope_attention_short_dropped(),
      dynamic_constant(),
      exponent_over_head_dim(),
  };
  return kernels;
}

}  // namespace ropewalk::fault
