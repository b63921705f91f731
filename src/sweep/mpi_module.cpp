#include "sweep/mpi_module.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>

#include "input/bad_input.hpp"
#include "input/own_program.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::sweep {
namespace {

constexpr const char* how_to_get_mpi =
    "; allowed: install the package ropewalk-mpi, or install libopenmpi-dev and openmpi-bin and build with "
    "cmake -D ROPEWALK_MPI=ON";

/// The module's path: beside the program in a build, or in ../lib/ropewalk if installed.
std::optional<std::string> module_path() {
  const std::filesystem::path self = input::own_program().parent_path();
  for (const std::filesystem::path& place :
       {self / mpi_module_name, self / "../lib/ropewalk" / mpi_module_name})
    if (::access(place.c_str(), R_OK) == 0) return place;
  return std::nullopt;
}

}  // namespace

bool is_under_mpi() {
  // Open MPI, MPICH and Intel MPI, launchers with PMIx, MVAPICH2. SLURM_PROCID is not in the list: srun sets
  // it for every program.
  const auto names = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_SIZE"};
  return std::any_of(names.begin(), names.end(),
                     [](const char* name) { return std::getenv(name) != nullptr; });  // NOLINT(concurrency-*)
}

std::unique_ptr<ranks> mpi_ranks() {
  const std::optional<std::string> path = module_path();
  if (!path)
    throw missing_requirement(
        std::string("an MPI launcher started this program, which was built without MPI") + how_to_get_mpi);
  // Stays loaded, since MPI's libraries may leave threads and exit handlers behind. MPI's plug-ins look for
  // its symbols among the global ones.
  void* const module = ::dlopen(path->c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (module == nullptr)
    throw missing_requirement("MPI cannot be loaded (" + printable(::dlerror()) + ")" + how_to_get_mpi);
  auto* const make = reinterpret_cast<make_mpi_ranks*>(::dlsym(module, mpi_module_function));
  std::unique_ptr<ranks> made{make == nullptr ? nullptr : make(version)};
  if (made == nullptr)
    throw missing_requirement(*path + " belongs to another version of ropewalk; allowed: that of version " +
                              version);
  return made;
}

}  // namespace ropewalk::sweep
