#pragma once
// Exact values to judge a kernel by: a cos and a sin of every pair, with the row of the last position kept.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"

namespace ropewalk {

class exact_turns {
 public:
  /// Refers to the kernel, which must outlive this.
  explicit exact_turns(const held_rotation& kernel, bool unit = false)
      : kernel_(kernel),
        unit_(unit),
        row_(static_cast<std::size_t>(kernel.pairs())),
        known_(static_cast<std::size_t>(kernel.pairs())) {}

  /// Enclosures of a cos and a sin of one pair; a = 1 for a unit rotation.
  template <int N>
  cos_sin<N> at(int pair, std::int64_t position) {
    if constexpr (N != 2) {
      return kernel_.rows().template exact<N>(pair, position, unit_);
    } else {
      if (position != position_) known_.assign(known_.size(), false);
      position_ = position;
      const auto i = static_cast<std::size_t>(pair);
      if (!known_[i]) row_[i] = kernel_.rows().template exact<2>(pair, position, unit_);
      known_[i] = true;
      return row_[i];
    }
  }

 private:
  const held_rotation& kernel_;
  bool unit_;
  std::int64_t position_ = 0;
  std::vector<cos_sin<2>> row_;
  std::vector<bool> known_;
};

}  // namespace ropewalk
