#pragma once
// The row of one token in binary32, each pair at the position on its axis.

#include <cstddef>
#include <vector>

#include "kernel/recipe/recipes.hpp"

namespace ropewalk::recipe {

/// Computes rows of a recipe, one token at a time.
class single_row {
 public:
  single_row(const known_recipe& recipe, const rotation_plan& plan, const frequencies& from)
      : recipe_(recipe),
        plan_(plan),
        from_(from),
        pairs_(plan.inv_freq.size()),
        entries_((plan.axes == 1 ? 2 : 4) * pairs_) {}

  /// Computes the token's row; `backward` negates every sine.
  void fill(const token_place& place, bool unit, bool backward) {
    recipe_.row(from_, place.position(0), unit, at(0), at(1));
    for (int axis = 1; axis < plan_.axes; ++axis) {
      recipe_.row(from_, place.position(axis), unit, at(2), at(3));
      for (std::size_t pair = 0; pair < pairs_; ++pair)
        if (plan_.axis[pair] == axis) at(0)[pair] = at(2)[pair], at(1)[pair] = at(3)[pair];
    }
    for (std::size_t pair = 0; backward && pair < pairs_; ++pair) at(1)[pair] = -at(1)[pair];
  }

  /// shape   [pairs] each
  const float* cos() const { return entries_.data(); }
  const float* sin() const { return entries_.data() + pairs_; }

 private:
  float* at(std::size_t part) { return entries_.data() + part * pairs_; }

  const known_recipe& recipe_;
  const rotation_plan& plan_;
  const frequencies& from_;
  std::size_t pairs_;
  std::vector<float> entries_;  // cosines and sines; with several axes, also those of another axis
};

}  // namespace ropewalk::recipe
