#pragma once
// Reads the number of channels of a head that rotate.

#include <cstdint>
#include <string>

#include "model/open_config.hpp"

namespace ropewalk::model {

struct read_rotary_dim {
  std::int64_t count = 0;
  std::string formula;  // " = formula" where it is a product
};

/// throws  bad_input
read_rotary_dim rotary_dim_in(open_config& config, std::int64_t head_dim);

/// Channels turned by code that reads the share from the block or the top level, and has no rotary_dim.
int rotary_dim_of_code(const open_config& config, int head_dim);

}  // namespace ropewalk::model
