#pragma once
// Binary32 rows at positions in binary64, one after another: sums of angles for positions that are whole
// steps apart, such as centres of pixels.

#include <cstdint>
#include <vector>

#include "kernel/real_rows.hpp"

namespace ropewalk {

/// Computes rows of a plan with one axis. For one thread.
class real_walk {
 public:
  real_walk(const real_rows& rows, bool unit) : rows_(&rows), unit_(unit) {}

  /// As real_rows::row.
  void row(double position, float* cos, float* sin, std::uint16_t* undecided);

 private:
  bool finds_seed(double position);
  void make_seed(double position);
  bool sums(double position, float* cos, float* sin) const;

  const real_rows* rows_;
  bool unit_;
  double last_ = 0;
  double seed_ = 0;  // its position
  bool has_last_ = false;
  bool has_seed_ = false;
  std::vector<double> seed_row_;              // [4: cos, sin, their reaches][padded(pairs)]
  std::vector<float> float_reaches_;          // [2: of cos, of sin][padded(pairs)]
  std::vector<simd::turn_block> sum_errors_;  // phase errors of sums, for the reaches
};

}  // namespace ropewalk
