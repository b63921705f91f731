#pragma once
// Laws on arrays of ALiBi's slopes and biases, in any format.

#include <vector>

#include "export/array_law.hpp"
#include "export/table.hpp"
#include "export/table_kind.hpp"
#include "ropewalk/config/alibi.hpp"

namespace ropewalk::output {

/// Laws of slopes. An entry stands for the real numbers that round to it; a law holds where some of them keep
/// it.
std::vector<array_law> slope_array_laws(table_dtype dtype, const alibi& config);

/// Laws of biases, [heads, queries, keys]. Neighbours may round to one number.
std::vector<array_law> bias_array_laws(table_dtype dtype, const alibi& config, const bias_extent& extent);

}  // namespace ropewalk::output
