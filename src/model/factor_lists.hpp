#pragma once
// Storage for lists of longrope, to which a configuration points.

#include <vector>

#include "ropewalk/config/longrope.hpp"

namespace ropewalk::model {

/// The same list in storage that lasts as long as the program; equal lists share it.
factor_list kept(std::vector<double> list);

}  // namespace ropewalk::model
