#include "input/bad_input.hpp"
#include "sweep/ranks.hpp"
namespace ropewalk::sweep {
bool is_under_mpi() { return false; }
std::unique_ptr<ranks> mpi_ranks() { throw missing_requirement("no MPI"); }
}  // namespace ropewalk::sweep
