// NumPy's array files.

#include "fuzz/arrays_read.hpp"
#include "fuzz/target.hpp"

namespace ropewalk::fuzz {

void npy(input_bytes input) { read_arrays(input); }

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(npy);
