#pragma once
// Two configurations of one model, compared: every number that differs, by layer.

#include <string>
#include <vector>

#include "model/layers.hpp"

namespace ropewalk::model {

/// One quantity that differs, with the value and the origin in each configuration.
struct difference {
  std::string layers;  // in runs; empty: of the model
  std::string name;
  fact first, second;
};

struct comparison {
  std::vector<difference> differences;
  std::size_t compared = 0;  // quantities of all layers
  bool is_in_binary32 = false;
};

/// Compares pairing, widths, axes, bases, frequencies and attention factors of each layer. Divisors of
/// frequencies and attention factors are compared as binary32 holds them where one of the two is a GGUF file,
/// which stores no others; else divisors in binary64, and factors by 15 digits.
///
/// domain  plans of models at one sequence length each
/// throws  undecided at the cap of working precision
comparison compared(const layer_plan& first, const layer_plan& second);

}  // namespace ropewalk::model
