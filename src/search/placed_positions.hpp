#pragma once
// Positions of the tokens of pictures and videos, as the model itself places them.

#include "search/case_generator.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {

/// Gives a share of the cases on the model's own axes the positions of tokens that follow one another in a
/// call of the model's own: in each batch row another part of it, often its first or its last tokens. The
/// others stay as they are. Positions that the law or the kernel's limits exclude are not taken.
///
/// domain  a case whose positions are drawn
/// returns whether the case has them
bool draw_placed_positions(dice& from, const case_domain& domain, law_case& test_case);

}  // namespace ropewalk::search
