#pragma once
// The public API. Every entry of a table is correctly rounded. The laws are in laws.hpp.

#include "ropewalk/config/alibi.hpp"                   // alibi: number of heads and form of the biases
#include "ropewalk/config/attention.hpp"               // attention_mask: the keys that a query sees
#include "ropewalk/config/frequencies.hpp"             // frequencies: spacing, shift and unit, for one axis
#include "ropewalk/config/head_layout.hpp"             // pairing, head_layout: pairs of a head's channels
#include "ropewalk/config/index_code.hpp"              // index_code: integer, normalised, binary or sines
#include "ropewalk/config/learned.hpp"                 // learned: shape of a table of learned positions
#include "ropewalk/config/pooled_axes.hpp"             // axis_window: cells that a token averages
#include "ropewalk/config/position_range.hpp"          // position_range: a range of token positions
#include "ropewalk/config/query_scale.hpp"             // query_scale: strength, length and shift
#include "ropewalk/config/rope.hpp"                    // rope: base, rotary_dim and scaling rule
#include "ropewalk/config/rope_axes.hpp"               // rope_axes: time, height, width; or rows, columns
#include "ropewalk/config/rope_mixed.hpp"              // rope_mixed: learned frequencies of every axis
#include "ropewalk/config/rope_scaling.hpp"            // linear, llama3, yarn, ...: context extension
#include "ropewalk/config/sinusoidal.hpp"              // sinusoidal: one convention of the encoding
#include "ropewalk/config/skewed_map.hpp"              // skewed_map: two angles in a pair
#include "ropewalk/config/t5_bias.hpp"                 // t5_bias: buckets of distances
#include "ropewalk/config/transformer_xl.hpp"          // transformer_xl: projected sinusoids of distances
#include "ropewalk/config/xpos.hpp"                    // xpos: base, rotary_dim and scale_base
#include "ropewalk/encoding/alibi.hpp"                 // alibi_slope, alibi_bias; forms of BLOOM and MPT
#include "ropewalk/encoding/attention.hpp"             // attention: scores, softmax, outputs as enclosures
#include "ropewalk/encoding/attention_positions.hpp"   // rotated_rows, with_sinusoids, linear_biases
#include "ropewalk/encoding/frequencies.hpp"           // frequency, turns_of: of one axis, exact
#include "ropewalk/encoding/frequency_divisor.hpp"     // rope_frequency_divisor: per pair, by the rule
#include "ropewalk/encoding/index_code.hpp"            // exact, sine-only, added and concatenated codes
#include "ropewalk/encoding/latent_attention.hpp"      // latent_softmax_scale: DeepSeek's, with YaRN
#include "ropewalk/encoding/learned.hpp"               // learned_table: rows of checked positions
#include "ropewalk/encoding/pairing_permutation.hpp"   // permute_pairing: weights for the other pairing
#include "ropewalk/encoding/query_scale.hpp"           // query_scale_at: exact, by a query's position
#include "ropewalk/encoding/rope.hpp"                  // rope_inv_freq, rope_turns, rotation_matrix: exact
#include "ropewalk/encoding/rope_axes.hpp"             // axis_of, rope_axes_block: each pair on its axis
#include "ropewalk/encoding/rope_mixed.hpp"            // rope_mixed_angle, rope_mixed_block: exact sums
#include "ropewalk/encoding/rope_scaling.hpp"          // scaled_inv_freq, attention_factor_of: exact
#include "ropewalk/encoding/sinusoidal.hpp"            // sinusoidal_inv_freq, sinusoidal_entry: exact
#include "ropewalk/encoding/sinusoidal_shift.hpp"      // sinusoidal_shift: the map from PE(p) to PE(p + k)
#include "ropewalk/encoding/skewed_map.hpp"            // skewed, skewed_pair_of: its exact values
#include "ropewalk/encoding/t5_bias.hpp"               // t5_bucket, t5_bias_view: integer buckets
#include "ropewalk/encoding/transformer_xl.hpp"        // terms_of, shifted_products, transformer_xl_scores
#include "ropewalk/encoding/transformer_xl_shift.hpp"  // relative shifts of Transformer-XL and XLNet
#include "ropewalk/encoding/xpos.hpp"                  // xpos_base, xpos_scale, xpos_block: exact values
#include "ropewalk/function/constants.hpp"             // pi, inverse_two_pi, ln_2: enclosures of N limbs
#include "ropewalk/function/exp_log.hpp"               // exp, log
#include "ropewalk/function/power.hpp"                 // power, root
#include "ropewalk/function/sin_cos.hpp"               // cos_sin_of_turns, cos_sin_of_radians
#include "ropewalk/kernel/addition.hpp"                // add_entry: canonical addition on bit patterns
#include "ropewalk/kernel/apply_rope.hpp"              // apply_rope: rotates a few vectors in one call
#include "ropewalk/kernel/kernel.h"                    // the C interface that kernel libraries export
#include "ropewalk/kernel/operation.hpp"               // rotate, add_row, add_bias: kernel operations
#include "ropewalk/kernel/processors.hpp"              // allowed_processors: for the threads of a pool
#include "ropewalk/kernel/promise.hpp"                 // promise: a kernel's bits or the parts it rounds
#include "ropewalk/kernel/resolved.hpp"                // resolved_encoding: a rotary embedding for kernel.h
#include "ropewalk/kernel/resolved_alibi.hpp"          // resolved_alibi: linear biases for kernel.h
#include "ropewalk/kernel/resolved_axes.hpp"           // resolved_axes: rotary on several axes
#include "ropewalk/kernel/resolved_sinusoidal.hpp"     // resolved_sinusoidal: rows to be added
#include "ropewalk/kernel/rotation.hpp"                // rotate_pair: canonical rotation on bit patterns
#include "ropewalk/kernel/thread_pool.hpp"             // thread_pool: threads kept between calls
#include "ropewalk/kernel/threads.hpp"                 // apply_with_threads: one call on several threads
#include "ropewalk/law/judge/bound.hpp"                // accuracy_bound, ...: bounds of a kernel's error
#include "ropewalk/measure/beyond_training.hpp"        // measure_beyond_training: beyond the trained length
#include "ropewalk/measure/context_extension.hpp"      // measure_extensions: scaling rules and their cost
#include "ropewalk/measure/error_growth.hpp"           // largest_cosine_error: tables and binary32 angles
#include "ropewalk/measure/long_term_decay.hpp"        // long_term_decay: the curve that bounds scores
#include "ropewalk/measure/phase_coverage.hpp"         // phase_coverage: phases not met in training
#include "ropewalk/measure/rounding_growth.hpp"        // measure_rounding_growth: rounding by position
#include "ropewalk/numeric/enclosure.hpp"              // enclosure: a real number with its error
#include "ropewalk/numeric/exact_sum.hpp"              // dot, compare_norms: exact sums of products
#include "ropewalk/numeric/format.hpp"                 // binary16, bfloat16, format: properties of formats
#include "ropewalk/numeric/matrix.hpp"                 // matrix: row-major matrices
#include "ropewalk/numeric/rational.hpp"               // rational: exact quotients, rounding ties included
#include "ropewalk/numeric/round.hpp"                  // round: correct rounding, or undecided
#include "ropewalk/numeric/ulp.hpp"                    // ulp_distance
#include "ropewalk/table/alibi_table.hpp"              // alibi_slope_table, alibi_biases, alibi_bias
#include "ropewalk/table/cos_sin_table.hpp"            // cos_table, sin_table: constexpr
#include "ropewalk/table/frequency_divisors.hpp"       // frequency_divisors: as in ggml's rope_freqs
#include "ropewalk/table/in_order.hpp"                 // on_threads, in_order: parallel work, used in order
#include "ropewalk/table/index_code_rows.hpp"          // index_code_rows: rows at run time
#include "ropewalk/table/index_code_table.hpp"         // index_code_table, and index_codes at run time
#include "ropewalk/table/inv_freq_table.hpp"           // inv_freq_table, and inv_freqs at run time
#include "ropewalk/table/pooled_axes_rows.hpp"         // pooled_axes_rows: means over a token's cells
#include "ropewalk/table/query_scale_table.hpp"        // query_scale_table, and query_scales at run time
#include "ropewalk/table/rope_axes_rows.hpp"           // rope_axes_rows: rows of tokens on several axes
#include "ropewalk/table/rope_mixed_rows.hpp"          // rope_mixed_rows: rows of tokens, summed over axes
#include "ropewalk/table/rope_rows.hpp"                // rope_rows: rows at run time, any position
#include "ropewalk/table/rotary_embedding.hpp"         // rotary_embedding: cosines, sines of a sequence
#include "ropewalk/table/row_stream.hpp"               // stream_rows: long tables in constant memory
#include "ropewalk/table/sinusoidal_rows.hpp"          // sinusoidal_encoding, and rows at run time
#include "ropewalk/table/sinusoidal_table.hpp"         // sinusoidal_table: constexpr
#include "ropewalk/table/t5_bias_table.hpp"            // t5_bucket_table, t5_buckets, add_t5_bias
#include "ropewalk/table/turns_table.hpp"              // turns_table: frequencies as 128-bit turns
#include "ropewalk/table/xpos_rows.hpp"                // round_xpos_entry, xpos_row
#include "ropewalk/version.hpp"                        // version
