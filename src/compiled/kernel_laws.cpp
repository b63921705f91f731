// The laws of kernels (law/judge/compiled_law.hpp).
#define ROPEWALK_COMPILES_LAWS_LIBRARY

#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
