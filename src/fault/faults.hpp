#pragma once
// Kernels with one planted fault each, of kinds that occur in real code. They promise canonical bits; the
// laws must catch them.

#include <span>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::fault {

ropewalk_kernel angle_f32();
ropewalk_kernel half_split();
ropewalk_kernel interleaved();
ropewalk_kernel backward_is_forward();
ropewalk_kernel inverse_attention();
ropewalk_kernel tail();
ropewalk_kernel position_off_by_one();
ropewalk_kernel real_positions_off_by_one();
ropewalk_kernel attention_dropped();
ropewalk_kernel attention_in_unit();
ropewalk_kernel batch_row();
ropewalk_kernel pass_through_zeroed();
ropewalk_kernel nan_spreads();
ropewalk_kernel small_flushed();
ropewalk_kernel head_group();
ropewalk_kernel environment_left();
ropewalk_kernel flush_to_zero();
ropewalk_kernel yarn_ramp_reversed();
ropewalk_kernel yarn_clamp_at_half();
ropewalk_kernel yarn_untruncated();
ropewalk_kernel attention_cos_only();
ropewalk_kernel attention_twice();
ropewalk_kernel llama3_in_prefill_only();
ropewalk_kernel longrope_switch_at_original();
ropewalk_kernel longrope_attention_short_dropped();
ropewalk_kernel dynamic_constant();
ropewalk_kernel exponent_over_head_dim();
ropewalk_kernel kept_row();
ropewalk_kernel axis_first();
ropewalk_kernel axis_runs();
ropewalk_kernel axis_interleaved();
ropewalk_kernel axis_exchanged();
ropewalk_kernel axis_stride();
ropewalk_kernel position_step();
ropewalk_kernel shared_row();
ropewalk_kernel range_begin();
ropewalk_kernel range_end();
ropewalk_kernel key_strides();
ropewalk_kernel first_channels();
ropewalk_kernel aligned();
ropewalk_kernel any_range();
ropewalk_kernel offset_32();
ropewalk_kernel grid();
ropewalk_kernel head_192();
ropewalk_kernel whole_head();

// Faults of kernels that add.
ropewalk_kernel alibi_exponent_from_zero();
ropewalk_kernel alibi_heads_sorted();
ropewalk_kernel alibi_causal();
ropewalk_kernel alibi_symmetric();
ropewalk_kernel alibi_key();
ropewalk_kernel alibi_last_key();
ropewalk_kernel alibi_falcon();
ropewalk_kernel sinusoidal_off_by_one();
ropewalk_kernel sinusoidal_real_off_by_one();
ropewalk_kernel sinusoidal_swapped();
ropewalk_kernel sinusoidal_batch_row();
ropewalk_kernel sinusoidal_rest_zeroed();
ropewalk_kernel sinusoidal_nan_spreads();
ropewalk_kernel sinusoidal_row_in_dtype();
ropewalk_kernel sinusoidal_any_range();

/// All faults of kernels that rotate, of kernels that add, and both; names begin with `fault-`.
std::span<const ropewalk_kernel> fault_kernels();
std::span<const ropewalk_kernel> addition_fault_kernels();
std::span<const ropewalk_kernel> all_fault_kernels();

}  // namespace ropewalk::fault
