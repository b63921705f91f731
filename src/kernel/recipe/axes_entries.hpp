#pragma once
// Cosines and sines of coordinates on several axes, computed operation by operation as in engines. For
// comparison only: no exact code includes this file.

#include <cstdint>
#include <vector>

#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::recipe {

/// The formats in which an engine computes a table that it stores in binary32.
///
/// binary64               frequency, angle, cosine and sine in binary64, rounded at the end
/// binary64_angle         frequency and angle in binary64; angle then binary32, cosine and sine in it
/// binary64_frequency     the frequency in binary64, rounded to binary32; everything else in binary32
/// binary32               coordinate, frequency, angle, cosine and sine in binary32
enum class table_arithmetic { binary64, binary64_angle, binary64_frequency, binary32 };

/// "binary64", "binary64, its angle in binary32": an arithmetic in words.
const char* name_of(table_arithmetic arithmetic);

/// Entries of single pairs, without the attention factor. Operations, cosines and sines are correctly
/// rounded; a library's may be off by one ulp. A coordinate is rounded once, from any source.
class axes_entries {
 public:
  /// throws  as rope_rows
  axes_entries(const placed_rope& config, table_arithmetic arithmetic);

  struct entry {
    float cos = 0;
    float sin = 0;
  };
  /// domain  an index on the pair's axis, or a real coordinate if the axis has no coordinate of its own
  entry at(int pair, std::int64_t index) const;
  entry at_real(int pair, double coordinate) const;
  /// The coordinate of an index on a pair's axis.
  ///
  /// error   correctly rounded
  double coordinate_of(int pair, std::int64_t index) const;

 private:
  enclosure<2> exact_coordinate(int pair, std::int64_t index) const;
  /// The entry at a coordinate, which is rounded to both formats.
  entry of_coordinate(int pair, double wide, float single) const;

  placed_rope config_;
  table_arithmetic arithmetic_;
  std::vector<double> inv_freq_;  // per unit of the coordinate, nearest binary64
  std::vector<float> single_;     // as the engine computes them in binary32
  std::vector<float> unit_;       // multiplies a coordinate first
  std::vector<int> axis_;
};

}  // namespace ropewalk::recipe
