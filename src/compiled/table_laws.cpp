// The laws of tables (law/judge/compiled_law.hpp).
#define ROPEWALK_COMPILES_LAWS_LIBRARY

#include "ropewalk/law/table_laws.hpp"
