// Files of safetensors; an input that begins with a brace becomes the header of one.

#include "fuzz/arrays_read.hpp"
#include "fuzz/headed_image.hpp"
#include "fuzz/target.hpp"

namespace ropewalk::fuzz {

void safetensors(input_bytes input) { read_arrays(headed_image(input)); }

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(safetensors);
