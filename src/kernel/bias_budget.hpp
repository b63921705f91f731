#pragma once
// Error budget of slope x distance computed in binary64: proofs/kernel/bias_budget_proof.cpp.

namespace ropewalk::bias_budget {

/// Budget relative to the computed |slope x distance|, 4 u with u = 2^-53. It covers the rounding of the
/// slope to binary64, of the product, and of the rounding test's sum of the product and this error.
inline constexpr double relative_error = 0x1p-51;

}  // namespace ropewalk::bias_budget
