#pragma once
// The row of cosines and sines of a token with positions on several axes: each pair uses the position on its
// axis, correctly rounded.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// Rows at run time, for tokens of a video, an image or a text.
class rope_axes_rows {
 public:
  /// throws  std::invalid_argument naming the field and its value; undecided if a scaling rule is not decided
  template <std::same_as<rope> Config = rope>
  rope_axes_rows(const rope_axes& axes, const Config& config)
      : axes_(axis_count(axes)), rows_(checked(axes, config)) {
    for (int pair = 0; pair < pair_count(config); ++pair) of_pair_.push_back(axis_of(pair, axes, config));
  }

  /// The row of one token, attention factor included.
  ///
  /// shape   [rotary_dim / 2]
  /// domain  one position per axis, such as time, height, width or row, column
  /// error   correctly rounded; sin 0 is +0
  /// throws  std::invalid_argument for a wrong number of positions; undecided at the cap of Ziv's loop
  template <floating_format Float>
  std::vector<cos_sin_bits<Float>> row(const std::vector<std::int32_t>& positions) const {
    require(positions.size() == static_cast<std::size_t>(axes_), "the number of positions",
            static_cast<double>(positions.size()), "one for each axis");
    std::vector<cos_sin_bits<Float>> r;
    for (const pair_axis& of : of_pair_)
      r.push_back(rows_.entry<Float>(of.frequency, positions[static_cast<std::size_t>(of.axis)], false));
    return r;
  }

 private:
  static const rope& checked(const rope_axes& axes, const rope& config) {
    validate(axes, config);
    return config;
  }

  int axes_;
  rope_rows rows_;
  std::vector<pair_axis> of_pair_;
};

}  // namespace ropewalk
