#pragma once
// How far a product of a slope and a distance in binary64 may be off: proofs/kernel/bias_budget_proof.cpp.

namespace ropewalk::bias_budget {

/// Of |slope x distance| as computed, u = 2^-53: the slope rounded to binary64, the product, and the sum that the rounding
/// test makes of the product and this error.
inline constexpr double relative_error = 0x1p-51;

}  // namespace ropewalk::bias_budget
