#pragma once
// Error budgets of the polynomials, proved by eighth_turn.sollya.

namespace ropewalk::eighth_turn {

/// Error of the sine's polynomial, relative to the sine, and of the cosine's, absolute.
inline constexpr double sine_approximation = 0x1.5p-48;
inline constexpr double cosine_approximation = 0x1p-54;

}  // namespace ropewalk::eighth_turn
