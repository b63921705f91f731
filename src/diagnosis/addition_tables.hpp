#pragma once
// Mistakes of engines in tables that do not rotate: sinusoids, ALiBi slopes, T5 buckets and query scales.

#include "diagnosis/given_array.hpp"
#include "diagnosis/table_hypothesis.hpp"
#include "export/table.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::diagnosis {

/// Adapts a table of sinusoids, [positions, d_model], to an array of cosines and sines. `array` has its
/// dtype, positions and rows.
///
/// domain  if d_model is odd, `array` reads rows without their last number
given_array sinusoidal_array(given_array array, const sinusoidal& config);

/// Hypotheses for an array of sinusoidal_array.
table_suspects sinusoidal_suspects(const sinusoidal& config);

/// Hypotheses for an array of slopes, [heads].
table_suspects slope_suspects(const alibi& config);

/// Hypotheses for an array of biases, [heads, queries, keys] read as one list.
table_suspects bias_suspects(const alibi& config, const tables::bias_extent& extent);

/// Hypotheses for an array of buckets of relative positions -max_relative .. max_relative.
table_suspects bucket_suspects(const t5_bias& config, std::int64_t max_relative);

/// Hypotheses for an array of query scales at these positions.
table_suspects query_scale_suspects(const query_scale& config, const input::position_list& positions);

}  // namespace ropewalk::diagnosis
