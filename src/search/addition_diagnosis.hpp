#pragma once
// What is likely wrong with a kernel that adds: other entries are tried on the number that came out wrong.

#include <string>

#include "search/search.hpp"

namespace ropewalk::search {

/// One sentence: whose entry gives the number observed, or what the law alone can say.
std::string words_for_sum(const law<held_addition>& of, const held_addition& kernel,
                          const measurement& measured);

}  // namespace ropewalk::search
