#pragma once
// The parts of quarter_turn::relative_error that the certificates must stay below. The rest of it covers the
// test's own roundings.

namespace ropewalk::quarter_turn {

/// One binary64 rounding, relative to the exact result, where nothing is subnormal.
inline constexpr double unit_roundoff = 0x1p-53;
/// The smallest rest of a phase that is not 0, in quarter turns: one unit of a phase whose turns are scaled
/// by 2^most_real_scale.
inline constexpr double smallest_rest = 0x1p-254;
/// The exact polynomials against sine and cosine, relative: quarter_turn.sollya.
inline constexpr double approximation = 0.75 * unit_roundoff;
/// Computed values against exact polynomials times the exact factor, relative: quarter_turn_*.gappa.
inline constexpr double evaluation = 5 * unit_roundoff;

}  // namespace ropewalk::quarter_turn
