#pragma once
// The linear map from the sinusoidal encoding of any position p to that of p + distance: a rotation of every
// pair by distance x inv_freq, the same for every p. Vaswani et al. 2017, sec. 3.5.

#include <cstddef>

#include "ropewalk/encoding/sinusoidal.hpp"

namespace ropewalk {

/// The map PE(p) -> PE(p + distance), the same for every p: a rotation of every pair, and 1 on the diagonal
/// at the zero channel of an odd d_model.
///
/// shape   d_model x d_model
/// domain  any finite distance; neither p nor p + distance is the padding's position
/// throws  std::invalid_argument naming the field and its value
template <int N>
class sinusoidal_shift {
 public:
  constexpr sinusoidal_shift(const sinusoidal& config, double distance)
      : config_(config), distance_(enclosure<N>::of(distance)) {
    validate(config);
    require(distance >= -largest_number && distance <= largest_number, "distance", distance,
            "a finite number");
  }

  /// Cosine and sine of the rotation angle of one pair. domain  0 <= pair < floor(d_model / 2)
  constexpr cos_sin<N> turn(int pair) const {
    return cos_sin_of_turns(sinusoidal_turns<N>(pair, config_) * distance_);
  }

  /// One element. domain  0 <= row, column < d_model
  constexpr enclosure<N> at(int row, int column) const {
    const sinusoidal_channel to = content_of(row, config_), from = content_of(column, config_);
    if (to.pair != from.pair) return enclosure<N>::of(0);
    if (to.holds == wave::zero) return enclosure<N>::of(1);
    const cos_sin<N> t = turn(to.pair);
    // sin(a + t) = sin a cos t + cos a sin t, cos(a + t) = cos a cos t - sin a sin t
    if (to.holds == from.holds) return t.cos;
    return to.holds == wave::sine ? t.sin : -t.sin;
  }

  /// Applies the map to a row of d_model enclosures: an array or a vector.
  template <class Row>
  constexpr Row applied_to(Row row) const {
    require(row.size() == static_cast<std::size_t>(config_.d_model), "the row's length",
            static_cast<double>(row.size()), "d_model numbers");
    for (int pair = 0; pair < pair_count(config_); ++pair) {
      const sinusoidal_channels at = channels_of(pair, config_);
      enclosure<N>& sine = row[static_cast<std::size_t>(at.sine)];
      enclosure<N>& cosine = row[static_cast<std::size_t>(at.cosine)];
      const cos_sin<N> t = turn(pair);
      const enclosure<N> before = sine;
      sine = before * t.cos + cosine * t.sin;
      cosine = cosine * t.cos - before * t.sin;
    }
    return row;
  }

 private:
  sinusoidal config_;
  enclosure<N> distance_;
};

}  // namespace ropewalk
