#pragma once
// Interface between the program and its module for MPI. The module is a separate shared library, so that the
// program runs without MPI.

#include "sweep/ranks.hpp"

namespace ropewalk::sweep {

inline constexpr const char* mpi_module_name = "libropewalk_mpi.so";
inline constexpr const char* mpi_module_function = "ropewalk_mpi_ranks";

/// The module's function: starts MPI. The caller owns the result; null if the module belongs to another
/// version of the program.
///
/// throws  missing_requirement if MPI supports only one thread
using make_mpi_ranks = ranks*(const char* version);

}  // namespace ropewalk::sweep
