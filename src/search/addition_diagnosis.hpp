#pragma once
// What is likely wrong with a kernel that adds: other entries are tried on all numbers of a case that came out wrong.

#include <string>

#include "search/search.hpp"

namespace ropewalk::search {

/// One sentence: whose entries give the numbers observed, or what the law alone can say.
std::string words_for_sum(const law<held_addition>& of, const held_addition& kernel,
                          const counterexample& found);

}  // namespace ropewalk::search
