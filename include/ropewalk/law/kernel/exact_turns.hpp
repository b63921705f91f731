#pragma once
// Exact values for judging a kernel: enclosures of a cos t and a sin t of every pair.

#include <cstddef>
#include <limits>
#include <vector>

#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"

namespace ropewalk {

/// Enclosures of a cos t and a sin t. Those of 2 limbs are cached, for the last position of each pair.
class exact_turns {
 public:
  /// Refers to the kernel, which must outlive this.
  explicit exact_turns(const checked_rotation& kernel, bool unit = false)
      : kernel_(kernel),
        unit_(unit),
        row_(static_cast<std::size_t>(kernel.pairs())),
        position_(row_.size(), unknown) {}

  /// Enclosures of a cos t and a sin t of one pair; a = 1 for a unit rotation.
  template <int N>
  cos_sin<N> at(int pair, double position) {
    if constexpr (N != 2) {
      return kernel_.rows().template exact<N>(pair, position, unit_);
    } else {
      const auto i = static_cast<std::size_t>(pair);
      if (position_[i] != position) row_[i] = kernel_.rows().template exact<2>(pair, position, unit_);
      position_[i] = position;
      return row_[i];
    }
  }

 private:
  static constexpr double unknown = std::numeric_limits<double>::infinity();  // no position

  const checked_rotation& kernel_;
  bool unit_;
  std::vector<cos_sin<2>> row_;
  std::vector<double> position_;
};

}  // namespace ropewalk
