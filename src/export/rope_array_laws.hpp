#pragma once
// Laws on arrays of rotary numbers, under any promise.

#include <vector>

#include "export/array_law.hpp"
#include "export/array_layout.hpp"
#include "export/row_positions.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::output {

/// Laws of inverse frequencies, or of cosines and sines, on an array of that kind. An entry stands for the
/// real numbers within its promise's bound, or, where bits are promised, for those that round to it; a law
/// holds where some of them keep it. Other kinds of arrays have none.
std::vector<array_law> rope_array_laws(const array_grid& grid, table_dtype dtype, const placed_rope& config,
                                       const row_positions& positions, const promise& promised);

}  // namespace ropewalk::output
