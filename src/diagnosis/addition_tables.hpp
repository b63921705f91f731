#pragma once
// Mistakes of engines in the tables of encodings that add: sinusoids, ALiBi's slopes and T5's buckets.

#include "diagnosis/given_array.hpp"
#include "diagnosis/table_hypothesis.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::diagnosis {

/// A table of sinusoids, [positions, d_model], as the array of cosines and sines that it is. `of` has its
/// dtype, positions and rows.
///
/// domain  d_model even
given_array sinusoidal_array(given_array of, const sinusoidal& config);

/// What to try on an array of sinusoidal_array.
table_suspects sinusoidal_suspects(const sinusoidal& config);

/// What to try on an array of slopes, [heads].
table_suspects slope_suspects(const alibi& config);

/// What to try on an array of buckets of relative positions -max_relative .. max_relative.
table_suspects bucket_suspects(const t5_bias& config, std::int64_t max_relative);

}  // namespace ropewalk::diagnosis
