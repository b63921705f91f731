#pragma once
// Compares two configurations of one model: lists every number that differs, by layer.

#include <cstdint>
#include <string>
#include <vector>

#include "model/layers.hpp"
#include "ropewalk/config/given.hpp"

namespace ropewalk::model {

/// One quantity that differs, with its value and origin in each configuration.
struct difference {
  std::string layers;  // in runs such as "0-2, 4"; empty: the whole model
  std::string name;
  fact first, second;
};

/// Distance between two rotations R and S of one pair: |R x - S x| / |x| at the worst x. No entries of their
/// tables differ by more. Positions are those of text, which are equal on all axes.
struct separation {
  std::string layers;                // in runs such as "0-2, 4"; empty: the whole model
  double largest = 0;                // over pairs and positions
  int pair = 0;                      // pair with that distance
  std::int64_t position = 0;         // first position with that distance, to four digits of `largest`
  given<std::int64_t> noticeable{};  // first position where a pair exceeds noticeable_separation
};

/// Error of a rotated pair in bfloat16 that is possible in any case, relative to the pair's length.
inline constexpr double noticeable_separation = 0x1p-8;

struct comparison {
  std::vector<difference> differences;
  // Of layers that turn the same channels, at least one pair by a different angle.
  std::vector<separation> separations;
  std::size_t compared = 0;    // quantities compared, over all layers
  std::int64_t positions = 0;  // separations cover positions 0 to positions - 1
  bool is_in_binary32 = false;
};

/// Compares pairing, widths, axes, bases, frequencies and attention factors of each layer. If either
/// configuration is a GGUF file, which stores binary32, divisors of frequencies and attention factors are
/// compared in binary32. Else divisors are compared in binary64, and factors by 15 digits. The separation of
/// differing tables is measured at each position of a context.
///
/// domain  layer plans of models, each at one sequence length; positions >= 1
/// throws  undecided at the cap of working precision
comparison compared(const layer_plan& first, const layer_plan& second, std::int64_t positions);

}  // namespace ropewalk::model
