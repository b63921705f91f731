#pragma once
// The laws of kernels that add a row or a bias t to x.

#include <array>

#include "ropewalk/law/addition/accuracy.hpp"
#include "ropewalk/law/addition/canonical.hpp"
#include "ropewalk/law/addition/non_finite.hpp"
#include "ropewalk/law/addition/pass_through.hpp"
#include "ropewalk/law/addition/position_kinds.hpp"
#include "ropewalk/law/addition/prefill_decode.hpp"
#include "ropewalk/law/addition/refusals.hpp"
#include "ropewalk/law/addition/same_as.hpp"

namespace ropewalk::addition_laws {

inline constexpr std::array all{canonical,    accuracy,   prefill_decode, position_kinds,
                                pass_through, non_finite, refusals};

/// Laws that compare two kernels; with another kernel given, only these run.
inline constexpr std::array of_two_kernels{same_as};

}  // namespace ropewalk::addition_laws
