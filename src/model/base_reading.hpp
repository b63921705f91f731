#pragma once
// The base of the frequencies.

#include "model/open_config.hpp"

namespace ropewalk::model {

/// throws  bad_input
void read_base(open_config& config);

}  // namespace ropewalk::model
