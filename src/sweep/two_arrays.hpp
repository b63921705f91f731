#pragma once
// Memory of rows of cosines and sines.

#include <cstddef>
#include <vector>

namespace ropewalk::sweep {

/// Buffers for the rows of a run, cosines and sines, as bits of a format.
template <class Stored>
struct two_arrays {
  std::vector<Stored> cos;
  std::vector<Stored> sin;

  void resize(std::size_t size) {
    cos.resize(size);
    sin.resize(size);
  }
  std::vector<Stored>& of(bool is_sin) { return is_sin ? sin : cos; }
  const std::vector<Stored>& of(bool is_sin) const { return is_sin ? sin : cos; }
};

}  // namespace ropewalk::sweep
