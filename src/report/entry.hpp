#pragma once
// Prints one entry of a model's rotary tables: exactly, in every format with its neighbours, and as known
// recipes compute it.

#include <cstdint>

#include "model/model.hpp"

namespace ropewalk::report {

/// Prints inverse frequency, turns, cosine and sine of one pair at one position. Cosine and sine include the
/// attention factor.
///
/// domain  0 <= pair < rotary_dim / 2; smallest_position <= position <= largest_position
/// throws  undecided at the cap of Ziv's loop
void print_entry(const model::model& model, std::int64_t position, int pair, bool as_json);

}  // namespace ropewalk::report
