#pragma once
// Writes the rotations of the pack as C tables, vectors.inc, for pack/check_vectors.h.

#include <string>
#include <vector>

namespace ropewalk::vectors {

/// Tables of the rotations of some topics: bits, rules and flags of their JSON texts (record.hpp).
std::string inc_text(const std::vector<std::string>& topics);

}  // namespace ropewalk::vectors
