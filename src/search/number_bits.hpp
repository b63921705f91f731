#pragma once
// Numbers of a format as bit patterns: drawn where kernels tend to break, shrunk toward readable ones.

#include <cstdint>
#include <string>
#include <vector>

#include <rapidcheck/Gen.h>

#include "ropewalk/kernel/kernel.h"
#include "search/dice.hpp"

namespace ropewalk::search {

/// What may be drawn.
enum class number_domain { finite, every_pattern };

/// A number from a weighted mix of raw bits, boundaries (zeros, ends of the subnormals, powers of two, the
/// largest), subnormals, fractions in (-1, 1), short mantissas and small integers.
std::uint64_t draw_bits(dice& from, ropewalk_dtype dtype, number_domain domain);

/// An exponent of the format, from the smallest subnormal's to the largest number's.
int draw_exponent(dice& from, ropewalk_dtype dtype);

/// A uniform number in (-1, 1) times 2^exponent, rounded to the format. Exponent 0 resembles data, and brings
/// errors close to their bounds. One exponent for a whole tensor gives both channels of a pair a similar
/// magnitude, however small or large.
std::uint64_t draw_scaled_fraction(dice& from, ropewalk_dtype dtype, int exponent);

int largest_exponent_of(ropewalk_dtype dtype);

/// The number with its exponent lowered to end - 1 if it is not below `end`, but to no
/// less than the smallest normal exponent.
///
/// domain  finite bits
std::uint64_t with_exponent_below(ropewalk_dtype dtype, std::uint64_t bits, int end);

/// An infinity, a quiet or a signalling NaN of either sign.
std::uint64_t draw_non_finite(dice& from, ropewalk_dtype dtype);

/// Simpler numbers to try in place of one: 0, 1, the magnitude, small integers, shorter mantissas.
std::vector<std::uint64_t> simpler_bits(ropewalk_dtype dtype, std::uint64_t bits);

/// The shortest decimal that reads back to the same number, and hexadecimal floating point: "3 (0x1.8p+1)";
/// of a NaN its bits: "nan (0x7fc0)".
std::string text_of(ropewalk_dtype dtype, std::uint64_t bits);

/// RapidCheck generator of draw_bits, which shrinks by simpler_bits.
rc::Gen<std::uint64_t> number_bits(ropewalk_dtype dtype, number_domain domain);

}  // namespace ropewalk::search
