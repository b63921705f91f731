#include "fault/faults.hpp"

#include <vector>

namespace ropewalk::fault {

std::span<const ropewalk_kernel> fault_kernels() {
  static const ropewalk_kernel kernels[] = {
      angle_f32(),
      half_split(),
      interleaved(),
      backward_is_forward(),
      inverse_attention(),
      tail(),
      position_off_by_one(),
      real_positions_off_by_one(),
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
      kept_row(),
      axis_first(),
      axis_runs(),
      axis_interleaved(),
      axis_exchanged(),
      axis_stride(),
      position_step(),
      shared_row(),
      range_begin(),
      range_end(),
      key_strides(),
      aligned(),
      any_range(),
      offset_32(),
      grid(),
      head_192(),
      whole_head(),
      first_channels(),
  };
  return kernels;
}

std::span<const ropewalk_kernel> addition_fault_kernels() {
  static const ropewalk_kernel kernels[] = {
      alibi_exponent_from_zero(),
      alibi_heads_sorted(),
      alibi_causal(),
      alibi_symmetric(),
      alibi_key(),
      alibi_last_key(),
      alibi_falcon(),
      sinusoidal_off_by_one(),
      sinusoidal_real_off_by_one(),
      sinusoidal_swapped(),
      sinusoidal_batch_row(),
      sinusoidal_rest_zeroed(),
      sinusoidal_nan_spreads(),
      sinusoidal_row_in_dtype(),
      sinusoidal_any_range(),
  };
  return kernels;
}

std::span<const ropewalk_kernel> all_fault_kernels() {
  static const auto& kernels = *[] {  // never freed: callers keep pointers to them
    auto* made = new std::vector<ropewalk_kernel>(fault_kernels().begin(), fault_kernels().end());
    made->insert(made->end(), addition_fault_kernels().begin(), addition_fault_kernels().end());
    return made;
  }();
  return kernels;
}

}  // namespace ropewalk::fault
