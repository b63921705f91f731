#pragma once
// Laws of sinusoidal tables in binary32, which decide several claims.

#include <cstdint>

#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::claim {

/// The correctly rounded rows.
inline std::vector<std::uint64_t> correctly_rounded_rows(position_range positions, const sinusoidal& config) {
  return widened(sinusoidal_encodings<float>(positions, config));
}

/// Measures a law on the correctly rounded rows, or on another source's rows, at positions 0 .. length - 1.
inline measurement measure_sinusoids(const law<checked_sinusoids>& law, const sinusoidal& config,
                                     std::int64_t length,
                                     const sinusoidal_source& source = correctly_rounded_rows) {
  return law.measure({ROPEWALK_F32, source, config}, {0, length});
}

}  // namespace ropewalk::claim
