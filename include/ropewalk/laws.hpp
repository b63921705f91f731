#pragma once
// The laws, by list: apart from ropewalk.hpp, because who uses tables need not compile what judges them.

#include "ropewalk/law/addition_laws.hpp"  // addition_laws: what a kernel that adds owes its encoding
#include "ropewalk/law/law.hpp"            // law, finding: a law as one value, and what it measured
#include "ropewalk/law/rotation_laws.hpp"  // rotation_laws: what a rotation kernel owes its encoding
#include "ropewalk/law/table_laws.hpp"  // frequency_laws, cos_sin_laws, ...: what any table owes its definition
