#pragma once
// How far apart the rotations of two tables are.

#include <cstdint>
#include <optional>

#include "model/comparison.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

/// The separation of two tables, of layers that are yet to be named; null stands for layers that do not
/// rotate. nullopt where the two are alike at every position, and where they turn other channels or pair them
/// otherwise: then they share no pair.
///
/// shape   in_binary32: frequencies whose divisors are the same number in binary32 are alike
/// domain  positions >= 1
/// error   `largest`: relative, below 2e-9; a pair and a position of that separation, where several are as
/// near
/// throws  undecided at the cap of working precision
std::optional<separation> separation_of(const model* first, const model* second, std::int64_t positions,
                                        bool in_binary32);

}  // namespace ropewalk::model
