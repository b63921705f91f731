#pragma once
// The lists of laws. They are separate from ropewalk.hpp so that users of tables need not compile them.

#include "ropewalk/law/addition_laws.hpp"  // addition_laws: of kernels that add a row or a bias
#include "ropewalk/law/law.hpp"            // law, finding: a law as a value, and its result
#include "ropewalk/law/rotation_laws.hpp"  // rotation_laws: of rotation kernels
#include "ropewalk/law/table_laws.hpp"     // frequency_laws, cos_sin_laws, ...: of tables
