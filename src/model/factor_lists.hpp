#pragma once
// Permanent storage for longrope's lists, which configurations point to.

#include <vector>

#include "ropewalk/config/longrope.hpp"

namespace ropewalk::model {

/// A copy of the list that lasts until the program ends; equal lists share it.
factor_list kept(std::vector<double> list);

}  // namespace ropewalk::model
