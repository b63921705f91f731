#pragma once
// What the certificates of eighth_turn.md allow.

namespace ropewalk::eighth_turn {

/// Of the sine's polynomial, relative to the sine; of the cosine's, absolute.
inline constexpr double sine_approximation = 0x1.5p-48;
inline constexpr double cosine_approximation = 0x1p-54;

}  // namespace ropewalk::eighth_turn
