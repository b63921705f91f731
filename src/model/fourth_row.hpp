#pragma once
// The pairs of interleaved M-RoPE that llama.cpp turns by a fourth row of positions, which is 0 in text.

#include <array>
#include <cstddef>
#include <vector>

namespace ropewalk::model {

/// Pairs 0, 3, ... belong to time, 1, 4, ... to height, 2, 5, ... to width. These are the pairs beyond the
/// end of their section. Other engines turn them by time.
///
/// source  ggml_mrope_cache_init in llama.cpp, version b10256
inline std::vector<int> pairs_of_fourth_row(const std::array<int, 3>& sections, int pairs) {
  std::vector<int> numbers;
  for (int pair = 0; pair < pairs; ++pair)
    if (pair / 3 >= sections[static_cast<std::size_t>(pair % 3)]) numbers.push_back(pair);
  return numbers;
}

}  // namespace ropewalk::model
