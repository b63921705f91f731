#pragma once
// The laws of rotation kernels, by name, in the order in which they are printed.

#include <array>

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/kernel/adjoint.hpp"
#include "ropewalk/law/kernel/canonical.hpp"
#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/kernel/environment.hpp"
#include "ropewalk/law/kernel/extrapolation.hpp"
#include "ropewalk/law/kernel/identity.hpp"
#include "ropewalk/law/kernel/layouts.hpp"
#include "ropewalk/law/kernel/linearity.hpp"
#include "ropewalk/law/kernel/non_finite.hpp"
#include "ropewalk/law/kernel/norm.hpp"
#include "ropewalk/law/kernel/own_axis.hpp"
#include "ropewalk/law/kernel/pass_through.hpp"
#include "ropewalk/law/kernel/position_kinds.hpp"
#include "ropewalk/law/kernel/prefill_decode.hpp"
#include "ropewalk/law/kernel/refusals.hpp"
#include "ropewalk/law/kernel/relative_position.hpp"
#include "ropewalk/law/kernel/round_trip.hpp"
#include "ropewalk/law/kernel/same_as.hpp"
#include "ropewalk/law/kernel/sizes.hpp"
#include "ropewalk/law/kernel/unit_rotation.hpp"

namespace ropewalk::rotation_laws {

inline constexpr std::array all{canonical,      accuracy,       norm,        relative_position, identity,
                                composition,    round_trip,     adjoint,     extrapolation,     own_axis,
                                position_kinds, prefill_decode, layouts,     pass_through,      non_finite,
                                linearity,      unit_rotation,  environment, refusals,          sizes};

/// Laws that compare two kernels; with another kernel given, only these run.
inline constexpr std::array of_two_kernels{same_as};

}  // namespace ropewalk::rotation_laws
