#pragma once
// Reads the width of a head, its channels that rotate, and the number of heads.

#include "model/open_config.hpp"

namespace ropewalk::model {

/// throws  bad_input
void read_head(open_config& config);

}  // namespace ropewalk::model
