#pragma once
// Numbers of a format by their bits: drawn where kernels break, shrunk toward what a person can read.

#include <cstdint>
#include <string>
#include <vector>

#include <rapidcheck/Gen.h>

#include "ropewalk/kernel/kernel.h"
#include "search/dice.hpp"

namespace ropewalk::search {

/// What may be drawn.
enum class number_domain { finite, every_pattern };

/// Weighted over raw bits, boundaries (zeros, ends of the subnormals, powers of two, the largest),
/// subnormals, [-1, 1), short mantissas and small integers.
std::uint64_t draw_bits(dice& from, ropewalk_dtype dtype, number_domain domain);

/// An exponent of the format, from the smallest subnormal's to the largest number's.
int draw_exponent(dice& from, ropewalk_dtype dtype);

/// A number of [-1, 1), uniform, times 2^exponent. With exponent 0 it is what data looks like, and where
/// errors come close to their bounds; with one exponent for a whole tensor, pairs have channels of a size,
/// however small or large.
std::uint64_t draw_scaled_fraction(dice& from, ropewalk_dtype dtype, int exponent);

int largest_exponent_of(ropewalk_dtype dtype);

/// The number with its exponent lowered to one below the end, if it is not; the smallest normal exponent at
/// the least.
///
/// domain  finite bits
std::uint64_t with_exponent_below(ropewalk_dtype dtype, std::uint64_t bits, int end);

/// An infinity, a quiet or a signalling NaN of either sign.
std::uint64_t draw_non_finite(dice& from, ropewalk_dtype dtype);

/// Simpler numbers to try in place of one, simplest first: 0, 1, small integers, shorter mantissas, no sign.
std::vector<std::uint64_t> simpler_bits(ropewalk_dtype dtype, std::uint64_t bits);

/// Hexadecimal floating point and the bits: "0x1.8p+1 (0x40400000)".
std::string text_of(ropewalk_dtype dtype, std::uint64_t bits);

/// The same as a RapidCheck generator.
rc::Gen<std::uint64_t> number_bits(ropewalk_dtype dtype, number_domain domain);

}  // namespace ropewalk::search
