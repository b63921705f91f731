#pragma once
// The public API on one screen; the laws are in laws.hpp.

#include "ropewalk/config/alibi.hpp"           // alibi: what decides the numbers of linear biases
#include "ropewalk/config/attention.hpp"       // attention_mask: which keys a query sees
#include "ropewalk/config/head_layout.hpp"     // pairing, head_layout: how the channels of a head are paired
#include "ropewalk/config/index_code.hpp"      // index_code: integer, normalised, binary or sines alone
#include "ropewalk/config/learned.hpp"         // learned: the shape of a table of learned positions
#include "ropewalk/config/position_range.hpp"  // position_range: a run of token positions
#include "ropewalk/config/rope.hpp"            // rope: what decides a rotary embedding's numbers
#include "ropewalk/config/rope_axes.hpp"       // rope_axes: time, height and width, or rows and columns
#include "ropewalk/config/rope_scaling.hpp"  // linear, dynamic, llama3, yarn, ...: how a model extends its context
#include "ropewalk/config/sinusoidal.hpp"      // sinusoidal: what decides a sinusoidal encoding's numbers
#include "ropewalk/config/t5_bias.hpp"         // t5_bias: how distances are put into buckets
#include "ropewalk/config/transformer_xl.hpp"  // transformer_xl: sinusoids of distances, and what projects them
#include "ropewalk/config/xpos.hpp"            // xpos: what decides the numbers of xPos
#include "ropewalk/encoding/alibi.hpp"  // alibi_slope, alibi_bias: exact values, and the forms of BLOOM and MPT
#include "ropewalk/encoding/attention.hpp"  // attention: scores, softmax and values as enclosures
#include "ropewalk/encoding/attention_positions.hpp"  // rotated_rows, with_sinusoids, linear_biases: how positions enter
#include "ropewalk/encoding/frequency_divisor.hpp"  // rope_frequency_divisor: what a rule divides a frequency by
#include "ropewalk/encoding/index_code.hpp"  // exact_index_code, sine_only_entry, added and concatenated forms
#include "ropewalk/encoding/latent_attention.hpp"  // latent_softmax_scale: what YaRN does to DeepSeek's scores
#include "ropewalk/encoding/learned.hpp"           // learned_table: rows with checked positions
#include "ropewalk/encoding/pairing_permutation.hpp"  // permute_pairing: weights from one pairing to the other
#include "ropewalk/encoding/rope.hpp"       // rope_inv_freq, rope_turns, rotation_matrix: exact values
#include "ropewalk/encoding/rope_axes.hpp"  // axis_of, rope_axes_block: each pair on its own axis
#include "ropewalk/encoding/rope_scaling.hpp"  // scaled_inv_freq, attention_factor_of: each rule as an exact function
#include "ropewalk/encoding/sinusoidal.hpp"        // sinusoidal_inv_freq, sinusoidal_entry: exact values
#include "ropewalk/encoding/sinusoidal_shift.hpp"  // sinusoidal_shift: PE(p) to PE(p + k) as a linear map
#include "ropewalk/encoding/t5_bias.hpp"  // t5_bucket, t5_bias_view: buckets in whole numbers, a learned table
#include "ropewalk/encoding/transformer_xl.hpp"  // terms_of, shifted_products, transformer_xl_scores
#include "ropewalk/encoding/transformer_xl_shift.hpp"  // the relative shift of Transformer-XL and of XLNet as index maps
#include "ropewalk/encoding/xpos.hpp"                  // xpos_base, xpos_scale, xpos_block: exact values
#include "ropewalk/function/constants.hpp"             // pi, inverse_two_pi, ln_2: enclosures of any width
#include "ropewalk/function/exp_log.hpp"               // exp, log
#include "ropewalk/function/power.hpp"                 // power, root
#include "ropewalk/function/sin_cos.hpp"               // cos_sin_of_turns, cos_sin_of_radians
#include "ropewalk/kernel/addition.hpp"                // add_entry: the canonical addition on bit patterns
#include "ropewalk/kernel/apply_rope.hpp"              // apply_rope: a few vectors turned in one call
#include "ropewalk/kernel/kernel.h"       // what a kernel is, in C: the interface that libraries export
#include "ropewalk/kernel/operation.hpp"  // rotate, add_row, add_bias: what a kernel does, by number
#include "ropewalk/kernel/promise.hpp"    // promise: what a kernel says of its bits, by name and by parts
#include "ropewalk/kernel/resolved.hpp"   // resolved_encoding: a rotary embedding as kernel.h wants it
#include "ropewalk/kernel/resolved_alibi.hpp"       // resolved_alibi: linear biases
#include "ropewalk/kernel/resolved_axes.hpp"        // resolved_axes: a rotary embedding on several axes
#include "ropewalk/kernel/resolved_sinusoidal.hpp"  // resolved_sinusoidal: rows that are added
#include "ropewalk/kernel/rotation.hpp"             // rotate_pair: the canonical rotation on bit patterns
#include "ropewalk/kernel/threads.hpp"              // apply_with_threads: one call split over threads
#include "ropewalk/law/judge/bound.hpp"             // accuracy_bound and its kin: how far a kernel may be off
#include "ropewalk/measure/beyond_training.hpp"  // measure_beyond_training: each encoding beyond its trained length
#include "ropewalk/measure/context_extension.hpp"  // measure_extensions: what each scaling rule covers, and its cost
#include "ropewalk/measure/error_growth.hpp"     // largest_cosine_error: of tables, and of angles in binary32
#include "ropewalk/measure/long_term_decay.hpp"  // long_term_decay: the curve that bounds rotary scores
#include "ropewalk/measure/phase_coverage.hpp"  // phase_coverage: phases that training did not show, pair by pair
#include "ropewalk/measure/rounding_growth.hpp"  // measure_rounding_growth: what rounding costs as positions grow
#include "ropewalk/numeric/enclosure.hpp"        // enclosure: a real number with its error
#include "ropewalk/numeric/exact_sum.hpp"        // dot, compare_norms: sums of products without rounding
#include "ropewalk/numeric/format.hpp"           // binary16, bfloat16 and what is known of every format
#include "ropewalk/numeric/matrix.hpp"           // matrix: numbers in rows and columns
#include "ropewalk/numeric/rational.hpp"         // rational: where ties exist
#include "ropewalk/numeric/round.hpp"        // round: correct rounding that decides or says that it cannot
#include "ropewalk/numeric/ulp.hpp"          // ulp_distance
#include "ropewalk/table/alibi_table.hpp"    // alibi_slope_table, alibi_biases, alibi_bias: correctly rounded
#include "ropewalk/table/cos_sin_table.hpp"  // cos_table, sin_table: constexpr, correctly rounded
#include "ropewalk/table/frequency_divisors.hpp"  // frequency_divisors: as ggml's rope_freqs holds them
#include "ropewalk/table/in_order.hpp"  // on_threads, in_order: rows made by many threads, used in order
#include "ropewalk/table/index_code_rows.hpp"   // index_code_rows: their rows at run time, sines by walking
#include "ropewalk/table/index_code_table.hpp"  // index_code_table, and index_codes at run time
#include "ropewalk/table/inv_freq_table.hpp"    // inv_freq_table, and inv_freqs at run time
#include "ropewalk/table/rope_axes_rows.hpp"    // rope_axes_rows: rows of tokens on several axes
#include "ropewalk/table/rope_rows.hpp"         // rope_rows: rows at run time, any position
#include "ropewalk/table/rotary_embedding.hpp"  // rotary_embedding: cosines and sines of a whole sequence
#include "ropewalk/table/row_stream.hpp"  // stream_rows: long tables in constant memory, on several threads
#include "ropewalk/table/sinusoidal_rows.hpp"   // sinusoidal_encoding, and rows of any convention at run time
#include "ropewalk/table/sinusoidal_table.hpp"  // sinusoidal_table: constexpr, correctly rounded
#include "ropewalk/table/t5_bias_table.hpp"     // t5_bucket_table, t5_buckets, add_t5_bias
#include "ropewalk/table/turns_table.hpp"       // turns_table: frequencies as 128-bit fractions of a turn
#include "ropewalk/table/xpos_rows.hpp"         // round_xpos_entry, xpos_row: correctly rounded
#include "ropewalk/version.hpp"                 // version
