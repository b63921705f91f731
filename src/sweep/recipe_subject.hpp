#pragma once
// Entries as inference engines compute them, as what a sweep checks.

#include <memory>
#include <string>

#include "ropewalk/kernel/kernel.h"
#include "sweep/subject.hpp"

namespace ropewalk::sweep {

/// The entries of a recipe (kernel/recipe/recipes.hpp), from correctly rounded inverse frequencies. In
/// binary32 they are the recipe's own; in another format those, or those of recipe-f64 in binary64,
/// rounded to it. A format that is finer than the recipe's own is not served.
///
/// throws  bad_input naming recipe
std::unique_ptr<subject_maker> recipe_entries(const std::string& name);

/// The format that a recipe keeps its entries in: bfloat16 or binary32.
///
/// throws  bad_input naming recipe
ropewalk_dtype dtype_of_recipe(const std::string& name);

}  // namespace ropewalk::sweep
