#pragma once
// Prints the errors of the cosines and sines that engines form for images and videos.

#include <vector>

#include "array/engine_error.hpp"

namespace ropewalk::report {

/// One line per engine, in this order.
void print_image_engines(const std::vector<array::engine_error>& errors, bool as_json);

}  // namespace ropewalk::report
