#pragma once
// Sine and cosine of a quarter turn in binary64: the polynomials behind every fast row, and their error
// budgets. proofs/kernel/quarter_turn.md proves the budgets from the constants in this file.

namespace ropewalk::quarter_turn {

// sollya: fpminimax(sin(pi/2*x), [|1,3,5,7,9,11,13|], [|D...|], [1b-30;1/2], relative, floating)
inline constexpr double sine[] = {0x1.921fb54442d18p0,   -0x1.4abbce625be09p-1, 0x1.466bc67754fffp-4,
                                  -0x1.32d2ccdfe9424p-8, 0x1.50782d5f14825p-13, -0x1.e2fe76fdffd2bp-19,
                                  0x1.e357ef99eb0bbp-25};  // x, x^3, ... x^13
// sollya: fpminimax(cos(pi/2*x), [|2,4,6,8,10,12|], [|D...|], [1b-30;1/2], absolute, floating, 1)
inline constexpr double cosine[] = {1,
                                    -0x1.3bd3cc9be45a5p0,
                                    0x1.03c1f081b14ebp-2,
                                    -0x1.55d3c7dcb8c78p-6,
                                    0x1.e1f4fbfe8f1dp-11,
                                    -0x1.a6ca01aa0f51fp-16,
                                    0x1.f3ef9a4d76616p-22};  // 1, x^2, ... x^12

/// A computed cosine or sine v is within |v| relative_error + a phase_error of the exact one, where a is the
/// attention factor. relative_error covers the polynomials, their evaluation with or without fused
/// multiply-add, the factor and the additions of the rounding test.
inline constexpr double relative_error = 0x1p-50;
/// The error of an angle whose turns per position have 96 bits and whose phase has 64: 2 pi (2^-64 + 2^-66)
/// radians.
inline constexpr double phase_error = 0x1p-61;
/// An entry computed from the sum of two angles, P - Q or P + Q with products P and Q of such values, is
/// within B sum_error + a sum_phase_error of the exact one, where B is a computed upper bound of |P| + |Q|.
inline constexpr double sum_error = 0x1p-49;
inline constexpr double sum_phase_error = 0x1p-60;
/// phase_error for a position in binary64, an integer below 2^real_bits times a power of two: turns per that
/// power have 128 bits, the phase has 64, and the sum of its products is truncated by less than three units:
/// 2 pi (3 + 2^-5) 2^-64 radians. The turns of slow pairs are scaled by up to 2^most_real_scale, which
/// divides the error by as much.
inline constexpr double real_phase_error = 0x1p-59;
inline constexpr int real_bits = 60;
inline constexpr int most_real_scale = 192;
/// sum_phase_error for a seed at a position in binary64.
inline constexpr double real_sum_phase_error = 0x1p-59;
/// A sum converted to binary32, f, is within |f| narrowed_error plus its reach of the exact one, including
/// the roundings of that test in binary32.
inline constexpr float narrowed_error = 0x1p-22f;
/// sum_error in pairs of binary64, for the sum of a seed's angle and those of up to wide_levels steps: within
/// a wide_sum_error for cosines, a B wide_sum_error for sines, plus a wide_least_error unless all of them are
/// exact. B is the smaller of 1 and the sum of the angles' sizes times the sine of one position's angle. The
/// error of the seed or of a step is at most wide_seed_error plus half an ulp of its lower part.
inline constexpr int wide_levels = 5;
inline constexpr double wide_sum_error = 0x1p-98;
inline constexpr double wide_least_error = 0x1p-135;
inline constexpr int wide_seed_exponent = -140;
inline constexpr double wide_seed_error = 0x1p-140;
/// Range of attention factors for which every intermediate result is a normal number or zero.
inline constexpr double smallest_factor = 0x1p-100;
inline constexpr double largest_factor = 0x1p100;

}  // namespace ropewalk::quarter_turn
