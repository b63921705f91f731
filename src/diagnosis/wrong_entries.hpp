#pragma once
// Finds properties that the wrong entries of an array share and that some right entry lacks.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// The shared properties in words: "the frequencies of pairs 32 to 63 are 0.125 times the expected ones",
/// "positions from 8192 on", or "none of the checked properties".
///
/// domain  places: the inspected places, by increasing position
std::string shared_by_wrong_entries(array_reader& array, const table_suspects& suspects,
                                    const std::vector<std::int64_t>& places, const promise& promised);

}  // namespace ropewalk::diagnosis
