#pragma once
// Two configurations of one model, compared: every number that differs, by layer.

#include <cstdint>
#include <string>
#include <vector>

#include "model/layers.hpp"
#include "ropewalk/config/given.hpp"

namespace ropewalk::model {

/// One quantity that differs, with the value and the origin in each configuration.
struct difference {
  std::string layers;  // in runs; empty: of the model
  std::string name;
  fact first, second;
};

/// How far apart two rotations R and S of one pair are: |R x - S x| as a part of |x|, at the worst x. No
/// entry of their tables differs by more. Positions are those of text, where all axes have one.
struct separation {
  std::string layers;                // in runs; empty: of the model
  double largest = 0;                // over pairs and positions
  int pair = 0;                      // where it is that
  std::int64_t position = 0;         // the first one, to four digits of `largest`
  given<std::int64_t> noticeable{};  // the first position at which some pair is further apart than that
};

/// What a rotated pair in bfloat16 may be off by in any case, as a part of its length.
inline constexpr double noticeable_separation = 0x1p-8;

struct comparison {
  std::vector<difference> differences;
  std::vector<separation>
      separations;             // of layers that turn the same channels, and some pair by another angle
  std::size_t compared = 0;    // quantities of all layers
  std::int64_t positions = 0;  // separations are of 0 to positions - 1
  bool is_in_binary32 = false;
};

/// Compares pairing, widths, axes, bases, frequencies and attention factors of each layer. Divisors of
/// frequencies and attention factors are compared as binary32 holds them where one of the two is a GGUF file,
/// which stores no others; else divisors in binary64, and factors by 15 digits. What differs is measured at
/// each position of a context.
///
/// domain  plans of models at one sequence length each; positions >= 1
/// throws  undecided at the cap of working precision
comparison compared(const layer_plan& first, const layer_plan& second, std::int64_t positions);

}  // namespace ropewalk::model
