#pragma once
// Real numbers that entries of an array stand for, as laws on arrays compare them.

#include "array/array_law.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::array {

// The entries of an array have at most 53 bits, and their products fit in two limbs.
inline constexpr int limb_count = 2;
using real = enclosure<limb_count>;

inline bool may_be_equal(const real& a, const real& b) { return may_be_zero(a - b); }

/// A law's text with what equality means for an array.
inline law_text text_on_array(law_text text) {
  text.norm = {};
  text.equality = some_numbers_keep_it;
  return text;
}

}  // namespace ropewalk::array
