#pragma once
// Mistakes of engines in tables that do not rotate: sinusoids, ALiBi's slopes, T5's buckets and the scale of
// queries.

#include "diagnosis/given_array.hpp"
#include "diagnosis/table_hypothesis.hpp"
#include "export/table.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::diagnosis {

/// A table of sinusoids, [positions, d_model], as the array of cosines and sines that it is. `of` has its
/// dtype, positions and rows.
///
/// domain  where d_model is odd, `of` reads rows without their last number
given_array sinusoidal_array(given_array array, const sinusoidal& config);

/// What to try on an array of sinusoidal_array.
table_suspects sinusoidal_suspects(const sinusoidal& config);

/// What to try on an array of slopes, [heads].
table_suspects slope_suspects(const alibi& config);

/// What to try on an array of biases, [heads, queries, keys] read as one list.
table_suspects bias_suspects(const alibi& config, const tables::bias_extent& extent);

/// What to try on an array of buckets of relative positions -max_relative .. max_relative.
table_suspects bucket_suspects(const t5_bias& config, std::int64_t max_relative);

/// What to try on an array of the scales of queries at these positions.
table_suspects query_scale_suspects(const query_scale& config, const input::position_list& positions);

}  // namespace ropewalk::diagnosis
