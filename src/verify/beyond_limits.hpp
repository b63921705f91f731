#pragma once
// Names the property of a subject or law that exceeds a kernel's limits.

#include <string>

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::verify {

/// The property of the subject that exceeds the kernel's limits; empty if there is none.
std::string beyond_limits(const checked_rotation& kernel);
std::string beyond_limits(const checked_addition& kernel);

/// Why the kernel's limits and the request leave no case of the law in a dtype; empty if cases remain.
std::string beyond_limits(const law<checked_rotation>& law, const checked_rotation& kernel,
                          ropewalk_dtype dtype);
std::string beyond_limits(const law<checked_addition>& law, const checked_addition& kernel,
                          ropewalk_dtype dtype);

}  // namespace ropewalk::verify
