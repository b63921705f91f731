#pragma once
// Lets a sweep check entries as inference engines compute them.

#include <memory>
#include <string>

#include "ropewalk/kernel/kernel.h"
#include "sweep/subject.hpp"

namespace ropewalk::sweep {

/// The entries of a recipe (kernel/recipe/recipes.hpp), from correctly rounded inverse frequencies. In
/// binary32 they are the recipe's own entries. In other formats they are these entries, or those of
/// recipe-f64 in binary64, rounded to the format. Formats finer than the recipe's are refused.
///
/// throws  bad_input naming recipe
std::unique_ptr<subject_maker> recipe_entries(const std::string& name);

/// The format of a recipe's entries: bfloat16 or binary32.
///
/// throws  bad_input naming recipe
ropewalk_dtype dtype_of_recipe(const std::string& name);

}  // namespace ropewalk::sweep
