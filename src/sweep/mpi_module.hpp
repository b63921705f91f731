#pragma once
// What the program and its module for MPI agree on. The module is a shared library of its own, so that the
// program runs where no MPI is installed.

#include "sweep/ranks.hpp"

namespace ropewalk::sweep {

inline constexpr const char* mpi_module_name = "libropewalk_mpi.so";
inline constexpr const char* mpi_module_function = "ropewalk_mpi_ranks";

/// The module's one function: starts MPI. The caller owns the result; null if the module is not of this
/// version of the program.
///
/// throws  missing_requirement if MPI cannot be used by more than one thread
using make_mpi_ranks = ranks*(const char* version);

}  // namespace ropewalk::sweep
