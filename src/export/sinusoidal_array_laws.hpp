#pragma once
// Laws on arrays of sinusoids, under any promise.

#include <vector>

#include "export/array_law.hpp"
#include "export/table_kind.hpp"
#include "input/positions.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::output {

/// The laws that ask for positions which the array has; none of real or listed positions. Where parts are
/// promised, an entry stands for the real numbers within its bound, and a law holds where some of them keep
/// it. Rows may then be equal that correct rounding keeps apart.
std::vector<array_law> sinusoidal_array_laws(table_dtype dtype, const sinusoidal& config,
                                             const input::position_list& positions, const promise& promised);

}  // namespace ropewalk::output
