#pragma once
// Token positions of pictures and videos, placed as the model places them.

#include "search/case_generator.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {

/// Gives some cases on the model's own axes the positions of consecutive tokens from one of the model's own
/// calls. Each batch row gets another part of the call, often its first or last tokens. Other cases stay
/// unchanged. Skips positions that the law or the kernel's limits exclude.
///
/// domain  a case whose positions are drawn
/// returns whether the case has such positions
bool draw_placed_positions(dice& from, const case_domain& domain, law_case& test_case);

}  // namespace ropewalk::search
