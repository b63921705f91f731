#pragma once
// The claims of every noun, one line each: the file of the same name decides them.

#include <vector>

#include "claim/claim.hpp"

namespace ropewalk::claim {

std::vector<claim> rope_claims();

inline constexpr std::vector<claim> (*claims_by_noun[])() = {
    rope_claims,
};

}  // namespace ropewalk::claim
