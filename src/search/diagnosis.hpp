#pragma once
// What is likely wrong with a kernel that broke a law: known faults are tried on the pairs that came out
// wrong.

#include <string>

#include "search/search.hpp"

namespace ropewalk::search {

/// One sentence: which call goes wrong, in which rows and pairs, and the known fault that gives the numbers
/// observed; or what the law alone can say.
std::string words_for(const law<held_rotation>& of, const held_rotation& kernel, const counterexample& found);
std::string words_for(const law<held_addition>& of, const held_addition& kernel, const counterexample& found);

}  // namespace ropewalk::search
