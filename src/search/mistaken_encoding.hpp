#pragma once
// Encodings that engines form in place of the right one: known mistakes in applying a scaling rule.

#include <string>
#include <vector>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::search {

inline constexpr int mistaken_limbs = 4;  // 256 bits: 31 of a position, and more than any format shows

/// What a mistake makes of an encoding.
struct mistaken_encoding {
  std::string words;                             // "they are those of ..."
  std::vector<enclosure<mistaken_limbs>> turns;  // per position, of each pair; unbounded where not decided
  enclosure<mistaken_limbs> attention_factor;
};

/// Every known mistake that can be made with this encoding; head_dim is that of the kernel's tensors.
std::vector<mistaken_encoding> mistaken_encodings(const rope& config, int head_dim);

}  // namespace ropewalk::search
