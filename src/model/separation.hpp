#pragma once
// Distance between the rotations of two tables.

#include <cstdint>
#include <optional>

#include "model/comparison.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

/// The separation of two tables, with `layers` left empty. Null means layers that do not rotate. nullopt if
/// the two are equal at every position, or if they share no pair: they turn other channels or pair them
/// differently.
///
/// shape   in_binary32: frequencies whose divisors are equal in binary32 are equal
/// domain  positions >= 1
/// error   `largest`: relative, below 2e-9; if several pairs and positions are that close to the largest, any
///         of them
/// throws  undecided at the cap of working precision
std::optional<separation> separation_of(const model* first, const model* second, std::int64_t positions,
                                        bool in_binary32);

}  // namespace ropewalk::model
