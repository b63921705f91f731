#pragma once
// Rows of cosines and sines averaged over cells, correctly rounded: the exact mean over a token's cells is
// rounded once.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ropewalk/config/pooled_axes.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk {

/// Means of cosines and sines at run time. A pair is on one axis, so the mean over all s x s x s cells of a
/// token is the mean over the s cells of that axis.
class pooled_axes_rows {
 public:
  /// throws  std::invalid_argument naming the field and its value; undecided if a scaling rule is not decided
  template <std::same_as<placed_rope> Config = placed_rope>
  explicit pooled_axes_rows(const Config& config) : axes_(detail::axes_of_pairs(config)), rows_(config) {
    for (const coordinate& source : config.coordinates)
      require(source == coordinate{}, "a coordinate's scale", static_cast<double>(source.scale.numerator),
              "1, without an offset: cells are averaged by their indices");
  }

  int pairs() const { return static_cast<int>(axes_.size()); }

  /// Mean of the cosines and sines of a pair over a window's cells.
  ///
  /// domain  0 <= pair < pairs()
  /// error   carried by the enclosures
  template <int N>
  cos_sin<N> mean(int pair, const axis_window& window) const {
    cos_sin<N> sum = rows_.exact<N>(pair, std::int64_t{window.first}, false);
    for (int cell = 1; cell < window.cells; ++cell) {
      const cos_sin<N> point = rows_.exact<N>(pair, std::int64_t{window.index(cell)}, false);
      sum = {sum.cos + point.cos, sum.sin + point.sin};
    }
    const int halvings = std::countr_zero(static_cast<unsigned>(window.cells));
    return {times_power_of_two(sum.cos, -halvings), times_power_of_two(sum.sin, -halvings)};
  }

  /// Bits of one entry.
  ///
  /// domain  0 <= pair < pairs()
  /// error   correctly rounded; the sine of index 0 alone is +0
  /// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
  template <floating_format Float>
  cos_sin_bits<Float> entry(int pair, const axis_window& window) const {
    validate(window);
    if (window.index(window.cells - 1) == window.first)
      return rows_.entry<Float>(pair, std::int64_t{window.first}, false);
    const auto rounded = [&]<int N>() {
      const cos_sin<N> point = mean<N>(pair, window);
      const rounding<Float> c = round<Float>(point.cos), s = round<Float>(point.sin);
      return rounded_mean<Float>{{c.bits, s.bits}, c.decided && s.decided};
    };
    const rounded_mean<Float> quick = rounded.template operator()<2>();
    return (quick.decided ? quick : with_enough_limbs("a mean of cosines or sines", rounded)).bits;
  }

  /// The row of one token, attention factor included.
  ///
  /// shape   windows [axes], result [rotary_dim / 2]
  /// domain, error, throws   as entry
  template <floating_format Float>
  std::vector<cos_sin_bits<Float>> row(std::span<const axis_window> windows) const {
    std::vector<cos_sin_bits<Float>> result;
    for (int pair = 0; pair < pairs(); ++pair)
      result.push_back(entry<Float>(pair, windows[axes_[static_cast<std::size_t>(pair)]]));
    return result;
  }

 private:
  template <floating_format Float>
  struct rounded_mean {
    cos_sin_bits<Float> bits;
    bool decided;
  };

  std::vector<std::size_t> axes_;  // of each pair
  rope_rows rows_;
};

#define ROPEWALK_MEANS(Float)                                                                            \
  ROPEWALK_COMPILED_FUNCTION(cos_sin_bits<Float> pooled_axes_rows::entry<Float>(int, const axis_window&) \
                                 const);
ROPEWALK_EACH_FORMAT(ROPEWALK_MEANS)
#undef ROPEWALK_MEANS

}  // namespace ropewalk
