#pragma once
// Numbers of a format as bit patterns: drawn where kernels tend to break, shrunk towards readable ones.

#include <cstdint>
#include <string>
#include <vector>

#include <rapidcheck/Gen.h>

#include "ropewalk/kernel/kernel.h"
#include "search/dice.hpp"

namespace ropewalk::search {

/// Which numbers may be drawn.
enum class number_domain { finite, every_pattern };

/// A number from a weighted mix: raw bits, boundaries (zeros, ends of the subnormals, powers of two, the
/// largest), subnormals, fractions in (-1, 1), short mantissas and small integers.
std::uint64_t draw_bits(dice& from, ropewalk_dtype dtype, number_domain domain);

/// An exponent of the format, from the smallest subnormal's to the largest number's.
int draw_exponent(dice& from, ropewalk_dtype dtype);

/// A uniform number in (-1, 1) times 2^exponent, rounded to the format. Exponent 0 resembles data, and brings
/// errors close to their bounds. With one exponent per tensor, both channels of a pair have similar
/// magnitudes, however small or large.
std::uint64_t draw_scaled_fraction(dice& from, ropewalk_dtype dtype, int exponent);

int largest_exponent_of(ropewalk_dtype dtype);

/// Lowers an exponent that is not below `end` to end - 1, but no lower than the smallest normal exponent.
///
/// domain  finite bits
std::uint64_t with_exponent_below(ropewalk_dtype dtype, std::uint64_t bits, int end);

/// An infinity, a quiet or a signalling NaN of either sign.
std::uint64_t draw_non_finite(dice& from, ropewalk_dtype dtype);

/// Simpler numbers to try instead: 0, 1, the magnitude, small integers, shorter mantissas.
std::vector<std::uint64_t> simpler_bits(ropewalk_dtype dtype, std::uint64_t bits);

/// The shortest decimal that reads back as the same number, and hexadecimal floating point: "3 (0x1.8p+1)".
/// For a NaN, its bits: "nan (0x7fc0)".
std::string text_of(ropewalk_dtype dtype, std::uint64_t bits);

/// RapidCheck generator of draw_bits, which shrinks by simpler_bits.
rc::Gen<std::uint64_t> number_bits(ropewalk_dtype dtype, number_domain domain);

}  // namespace ropewalk::search
