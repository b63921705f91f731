#pragma once
// What of a subject and a law lies beyond the limits of a kernel.

#include <string>

#include "ropewalk/law/addition/held_addition.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::verify {

/// What of the subject lies beyond the limits; empty where nothing does.
std::string beyond_limits(const held_rotation& kernel);
std::string beyond_limits(const held_addition& kernel);

/// Why no case of the law in a dtype lies within what the kernel serves and what was asked for; empty where some does.
std::string beyond_limits(const law<held_rotation>& of, const held_rotation& kernel, ropewalk_dtype dtype);
std::string beyond_limits(const law<held_addition>& of, const held_addition& kernel, ropewalk_dtype dtype);

}  // namespace ropewalk::verify
